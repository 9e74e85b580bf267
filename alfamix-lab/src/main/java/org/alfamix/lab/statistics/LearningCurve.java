package org.alfamix.lab.statistics;

/**
 * Accuracy over labels, with straight lines between rounds.
 *
 * @param labels number of labels, ascending
 * @param accuracy accuracy at each of them
 */
public record LearningCurve(int[] labels, double[] accuracy) {

  public LearningCurve {
    if (labels.length != accuracy.length || labels.length < 2) {
      throw new IllegalArgumentException(
          "Expected the same number of label counts and accuracies, at least two; found %d and %d."
              .formatted(labels.length, accuracy.length));
    }
  }

  /** Returns mean accuracy over labels: the area under the curve divided by its width. */
  public double area() {
    double area = 0;
    for (int r = 1; r < labels.length; r++) {
      area += (labels[r] - labels[r - 1]) * (accuracy[r] + accuracy[r - 1]) / 2;
    }
    return area / (labels[labels.length - 1] - labels[0]);
  }

  /** Returns the number of labels at which it first reaches an accuracy; NaN if it never does. */
  public double labelsFor(double goal) {
    if (accuracy[0] >= goal) {
      return labels[0];
    }
    for (int r = 1; r < labels.length; r++) {
      if (accuracy[r] >= goal) {
        double share = (goal - accuracy[r - 1]) / (accuracy[r] - accuracy[r - 1]);
        return labels[r - 1] + share * (labels[r] - labels[r - 1]);
      }
    }
    return Double.NaN;
  }

  double last() {
    return accuracy[accuracy.length - 1];
  }

  int mostLabels() {
    return labels[labels.length - 1];
  }
}
