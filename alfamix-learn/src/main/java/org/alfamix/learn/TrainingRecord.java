package org.alfamix.learn;

import java.util.Map;

/**
 * What a model has learnt from, as a checkpoint keeps it.
 *
 * @param data the name of the data set, or the path of one's own
 * @param reading how data of one's own were read: columns, sizes; by the names of the options
 * @param fingerprint what tells the pool from others, see {@link
 *     org.alfamix.datasets.Dataset#fingerprint}
 * @param items the rows of the pool that were labelled
 * @param labels their classes
 * @param epochs how long it was trained
 * @param testAccuracy NaN where it was not tested
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
      throw new IllegalArgumentException(
          "%d items, but %d labels.".formatted(items.length, labels.length));
    }
  }
}
