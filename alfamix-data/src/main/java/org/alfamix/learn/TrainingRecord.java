package org.alfamix.learn;

/**
 * What a model has learnt from, as a checkpoint keeps it.
 *
 * @param data the name of the data set, or the path of one's own
 * @param labelColumn the column with the class in a table of one's own, or null
 * @param poolSize how many items its pool has
 * @param items the rows of the pool that were labelled
 * @param labels their classes
 * @param epochs how long it was trained
 * @param testAccuracy NaN where it was not tested
 */
public record TrainingRecord(
    String data,
    String labelColumn,
    int poolSize,
    int[] items,
    int[] labels,
    int epochs,
    double testAccuracy) {

  public TrainingRecord {
    if (items.length != labels.length) {
      throw new IllegalArgumentException(
          "%d items, but %d labels.".formatted(items.length, labels.length));
    }
  }
}
