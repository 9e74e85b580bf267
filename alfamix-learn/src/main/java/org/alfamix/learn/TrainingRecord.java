package org.alfamix.learn;

import java.util.Map;
import org.alfamix.error.InvalidDataException;

/**
 * The data and the result of a training, as stored in a checkpoint.
 *
 * @param data the name of a data set, or the path of the user's data
 * @param reading the options with which the user's data were read, such as columns and sizes, by
 *     name
 * @param fingerprint a hash that identifies the pool, see {@link
 *     org.alfamix.datasets.Dataset#fingerprint}
 * @param items the rows of the pool that were labelled
 * @param labels their classes
 * @param epochs number of epochs of the training
 * @param testAccuracy NaN if the model was not tested
 */
public record TrainingRecord(
    String data,
    Map<String, String> reading,
    String fingerprint,
    int[] items,
    int[] labels,
    int epochs,
    double testAccuracy) {

  public TrainingRecord {
    reading = Map.copyOf(reading);
    if (items.length != labels.length) {
      throw new InvalidDataException(
          "%d items, but %d labels.".formatted(items.length, labels.length));
    }
  }
}
