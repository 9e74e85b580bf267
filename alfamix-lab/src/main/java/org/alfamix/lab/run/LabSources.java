package org.alfamix.lab.run;

import java.nio.file.Path;
import org.alfamix.datasets.Dataset;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.ModelSpec;
import org.alfamix.learn.embed.DataReader;

/** Where experiments get their data and weights from; what is missing may be downloaded. */
@FunctionalInterface
public interface LabSources {

  /** Reads a data set; as features, where the spec names a backbone. */
  Dataset data(DataSpec spec);

  /** The weights that a pre-trained network begins from. */
  default Path weights(ModelSpec model) {
    throw new DataException("There are no weights " + model.checkpoint().orElseThrow() + " here.");
  }

  /** Returns the data sets that have a name, and files. */
  static LabSources of(DataReader reader) {
    return new LabSources() {
      @Override
      public Dataset data(DataSpec data) {
        try {
          return reader.read(data.name(), data.reading());
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
