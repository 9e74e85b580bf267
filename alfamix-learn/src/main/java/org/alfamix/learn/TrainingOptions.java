package org.alfamix.learn;

import org.alfamix.datasets.InputShape;
import org.alfamix.error.InvalidRequestException;

/**
 * The options of a fit. It minimizes cross-entropy in batches, until a training accuracy is reached
 * or for a fixed number of epochs.
 *
 * @param rate learning rate
 * @param batch items per step
 * @param goal training accuracy at which a fit ends, or {@link #NO_GOAL} to train for all epochs
 * @param epochs maximum number of epochs
 * @param dropout share of features dropped before the head in training and in dropout samples
 * @param warmStart whether a fit starts from the weights of the previous one ("continue") instead
 *     of the initial weights
 * @param augmentation random changes to images in each step
 * @param optimization the optimizer and the schedule of the learning rate
 */
public record TrainingOptions(
    double rate,
    int batch,
    double goal,
    int epochs,
    double dropout,
    boolean warmStart,
    Augmentation augmentation,
    Optimization optimization) {
  /** The goal of training for all epochs, whatever the accuracy. */
  public static final double NO_GOAL = Double.POSITIVE_INFINITY;

  private static final double IMAGE_RATE = 1e-3;
  private static final double TABLE_RATE = 1e-4;

  /** The network without a layer before its head, for precomputed features. */
  public static final String FEATURES_NETWORK = "linear";

  public TrainingOptions {
    require(rate > 0 && rate < Double.POSITIVE_INFINITY, "rate", rate, "a positive number");
    require(batch >= 1, "batch", batch, "at least 1");
    require(goal > 0 && goal <= 1 || goal == NO_GOAL, "goal", goal, "a share in (0, 1] or none");
    require(epochs >= 1, "epochs", epochs, "at least 1");
    require(dropout >= 0 && dropout < 1, "dropout", dropout, "a share in [0, 1)");
  }

  private static void require(boolean met, String name, Number value, String expected) {
    if (!met) {
      throw new InvalidRequestException(name, "is %s, expected %s.".formatted(value, expected));
    }
  }

  /** Returns the options of the paper: a lower rate for tables, but not for features of images. */
  public static TrainingOptions of(String network, InputShape shape) {
    boolean large = shape.isImage() || shape.isVideo() || network.equals(FEATURES_NETWORK);
    return new TrainingOptions(
        large ? IMAGE_RATE : TABLE_RATE,
        64,
        0.99,
        1000,
        0,
        false,
        Augmentation.NONE,
        Optimization.ADAM);
  }

  public TrainingOptions withRate(double other) {
    return new TrainingOptions(
        other, batch, goal, epochs, dropout, warmStart, augmentation, optimization);
  }

  public TrainingOptions withBatch(int other) {
    return new TrainingOptions(
        rate, other, goal, epochs, dropout, warmStart, augmentation, optimization);
  }

  public TrainingOptions withGoal(double other) {
    return new TrainingOptions(
        rate, batch, other, epochs, dropout, warmStart, augmentation, optimization);
  }

  public TrainingOptions withEpochs(int other) {
    return new TrainingOptions(
        rate, batch, goal, other, dropout, warmStart, augmentation, optimization);
  }

  public TrainingOptions withDropout(double other) {
    return new TrainingOptions(
        rate, batch, goal, epochs, other, warmStart, augmentation, optimization);
  }

  public TrainingOptions withWarmStart() {
    return new TrainingOptions(
        rate, batch, goal, epochs, dropout, true, augmentation, optimization);
  }

  public TrainingOptions withAugmentation(Augmentation other) {
    return new TrainingOptions(rate, batch, goal, epochs, dropout, warmStart, other, optimization);
  }

  public TrainingOptions withOptimization(Optimization other) {
    return new TrainingOptions(rate, batch, goal, epochs, dropout, warmStart, augmentation, other);
  }

  /**
   * Parses a goal: a share, or {@code none}.
   *
   * @throws InvalidRequestException if the text is neither
   */
  public static double parseGoal(String text) {
    try {
      return text.equals("none") ? NO_GOAL : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException(
          "goal", "is '%s', expected a share in (0, 1] or none.".formatted(text), e);
    }
  }

  /** Returns the text of a goal that {@link #parseGoal} accepts. */
  public static String goalText(double goal) {
    return goal == NO_GOAL ? "none" : Double.toString(goal);
  }
}
