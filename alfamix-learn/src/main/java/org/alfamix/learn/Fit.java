package org.alfamix.learn;

/**
 * How a fit went.
 *
 * @param epochs how often every item was seen
 * @param accuracy share of the labelled items that were predicted rightly during the last epoch
 * @param loss mean cross-entropy of the last epoch
 * @param items items seen in all, repetitions counted
 * @param seconds how long it took
 */
public record Fit(int epochs, double accuracy, double loss, long items, double seconds) {

  /** How many items the training took in a second. */
  public double itemsPerSecond() {
    return items / Math.max(seconds, 1e-9);
  }
}
