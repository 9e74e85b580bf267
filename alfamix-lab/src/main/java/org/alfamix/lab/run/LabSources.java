package org.alfamix.lab.run;

import java.nio.file.Path;
import org.alfamix.datasets.Dataset;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.ModelSpec;
import org.alfamix.learn.embed.BackboneDatasetReader;

/** The source of data and weights for experiments; may download what is missing. */
@FunctionalInterface
public interface LabSources {

  /** Reads a data set, as features if the spec names a backbone. */
  Dataset data(DataSpec spec);

  /** Returns the file of the weights of a pre-trained network. */
  default Path weights(ModelSpec model) {
    throw new DataException("Weights " + model.checkpoint().orElseThrow() + " are not available.");
  }

  /** Returns the named data sets, and files. */
  static LabSources of(BackboneDatasetReader reader) {
    return new LabSources() {
      @Override
      public Dataset data(DataSpec data) {
        try {
          return reader.read(data.name(), data.reading()).requireClasses();
        } catch (InvalidRequestException e) {
          throw new DataException("The setting's " + e.getMessage(), e);
        }
      }

      @Override
      public Path weights(ModelSpec model) {
        return model
            .published()
            .map(reader::weights)
            .orElseGet(() -> Path.of(model.checkpoint().orElseThrow()));
      }
    };
  }
}
