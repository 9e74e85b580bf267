package org.alfamix.learn;

/**
 * The result of a fit.
 *
 * @param epochs number of passes over the labelled items
 * @param accuracy share of the labelled items predicted correctly during the last epoch
 * @param loss mean cross-entropy of the last epoch
 * @param items number of items processed, counting repetitions
 * @param seconds duration in seconds
 */
public record Fit(int epochs, double accuracy, double loss, long items, double seconds) {

  /** Returns the number of items processed per second. */
  public double itemsPerSecond() {
    return items / Math.max(seconds, 1e-9);
  }
}
