package org.alfamix.lab.setting;

import java.util.Locale;
import java.util.Optional;
import org.alfamix.dataset.InputShape;
import org.alfamix.learn.TrainingOptions;

/**
 * What learns, and how.
 *
 * @param network its name
 * @param start what a round begins from
 * @param checkpoint whose weights a pre-trained network has, as {@code dino}
 * @param training what differs from the paper's way
 */
public record ModelSpec(
    String network, Start start, Optional<String> checkpoint, Training training) {

  /** What the training of a round begins from. */
  public enum Start {
    /** The weights the run began with, the same in every round. */
    RANDOM,
    /** New ones in every round, the same for all methods of a seed. */
    FRESH,
    /** Those of the round before. */
    CONTINUE,
    /** Published ones. */
    PRE_TRAINED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * How a network is fitted; what is empty is as in the paper.
   *
   * @param optimiser adam or adamw
   * @param warmUp epochs in which the rate grows
   * @param finalRate where a cosine schedule ends
   */
  public record Training(
      String optimiser,
      Optional<Double> rate,
      Optional<Integer> batch,
      Optional<Double> goal,
      Optional<Integer> epochs,
      Optional<Double> dropout,
      Optional<Integer> warmUp,
      Optional<Double> finalRate) {

    /** Fails where a value makes no sense. */
    public Training {
      options(TrainingOptions.of(InputShape.table(1)), rate, batch, goal, epochs, dropout);
    }
  }

  /** For items of this shape. */
  public TrainingOptions options(InputShape shape) {
    TrainingOptions options =
        options(
            TrainingOptions.of(shape),
            training.rate,
            training.batch,
            training.goal,
            training.epochs,
            training.dropout);
    return start == Start.CONTINUE ? options.keepingGoing() : options;
  }

  private static TrainingOptions options(
      TrainingOptions base,
      Optional<Double> rate,
      Optional<Integer> batch,
      Optional<Double> goal,
      Optional<Integer> epochs,
      Optional<Double> dropout) {
    return new TrainingOptions(
        rate.orElse(base.rate()),
        batch.orElse(base.batch()),
        goal.orElse(base.goal()),
        epochs.orElse(base.epochs()),
        dropout.orElse(base.dropout()),
        base.keepGoing());
  }
}
