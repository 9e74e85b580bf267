package org.alfamix.cli;

import java.nio.file.Path;
import java.util.List;
import org.alfamix.datasets.Dataset;
import org.alfamix.io.DataException;
import org.alfamix.learn.LearnerSpec;

/** Compares a data set with the one that a checkpoint was trained on. */
final class CheckpointData {
  private CheckpointData() {}

  /** Rejects a data set whose items or classes differ from those of the checkpoint. */
  static void requireSameItemsAndClasses(Path checkpoint, LearnerSpec saved, Dataset dataset) {
    if (!saved.input().equals(dataset.shape())) {
      throw new DataException(
          "%s was trained on items of %s, but the items of %s have %s."
              .formatted(checkpoint, saved.input(), dataset.name(), dataset.shape()));
    }
    if (!saved.classNames().equals(dataset.classNames())) {
      throw new DataException(
          "%s was trained on other classes than those of %s: %s."
              .formatted(
                  checkpoint,
                  dataset.name(),
                  firstDifference(saved.classNames(), dataset.classNames())));
    }
  }

  private static String firstDifference(List<String> expected, List<String> found) {
    for (int k = 0; k < Math.min(expected.size(), found.size()); k++) {
      if (!expected.get(k).equals(found.get(k))) {
        return "class %d is '%s', expected '%s'".formatted(k, found.get(k), expected.get(k));
      }
    }
    return "found %d classes, expected %d".formatted(found.size(), expected.size());
  }
}
