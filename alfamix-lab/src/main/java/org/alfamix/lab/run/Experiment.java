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

/** What is asked for: a setting, by these methods, with these seeds. */
public record Experiment(Setting setting, List<Method> methods, List<Long> seeds) {

  public Experiment {
    methods = List.copyOf(methods);
    seeds = List.copyOf(seeds);
  }

  /** Its runs; those of a seed are together, so that a comparison is there early. */
  List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    for (long seed : seeds) {
      for (Method method : methods) {
        jobs.add(new Job(setting, method, seed));
      }
    }
    return jobs;
  }

  /** The part of a data set that a setting speaks of, scaled as it says. */
  static Dataset prepared(DataSpec spec, Dataset data) {
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
      return spec.standardise()
          ? prepared.withScaling(Scaling.standardising(prepared.pool().inputs()))
          : prepared;
    } catch (InvalidRequestException e) {
      throw new DataException(e.getMessage(), e);
    }
  }
}
