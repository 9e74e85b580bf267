package org.alfamix.lab.run;

import java.nio.file.Path;
import org.alfamix.datasets.Dataset;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.ModelSpec;

/** Where experiments get their data and weights from; what is not here may be fetched. */
@FunctionalInterface
public interface LabSources {

  /** Reads a data set; as features, where the spec names a backbone. */
  Dataset data(DataSpec spec);

  /** The weights that a pre-trained network begins from. */
  default Path weights(ModelSpec model) {
    throw new DataException("There are no weights " + model.checkpoint().orElseThrow() + " here.");
  }
}
