package org.alfamix.lab.run;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Scaling;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;

/** The runs of a setting with some methods and seeds. */
public record Experiment(Setting setting, List<Method> methods, List<Long> seeds) {

  public Experiment {
    methods = List.copyOf(methods);
    seeds = List.copyOf(seeds);
  }

  /** Returns the runs, seed by seed, so that a comparison is available early. */
  List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    for (long seed : seeds) {
      for (Method method : methods) {
        jobs.add(new Job(setting, method, seed));
      }
    }
    return jobs;
  }

  /** Returns the part of a data set that a setting uses, scaled accordingly. */
  static Dataset prepare(DataSpec spec, Dataset data) {
    try {
      Dataset prepared = data;
      if (!spec.classes().isEmpty()) {
        prepared = prepared.withClasses(spec.classes());
      }
      if (spec.pool() > 0) {
        prepared = prepared.withPool(spec.pool());
      }
      if (prepared.classes() < 2) {
        throw new DataException("%s: a setting needs at least two classes.".formatted(data.name()));
      }
      return spec.standardize()
          ? prepared.withScaling(Scaling.standardizing(prepared.pool().inputs()))
          : prepared;
    } catch (InvalidRequestException e) {
      throw new DataException(e.getMessage(), e);
    }
  }
}
