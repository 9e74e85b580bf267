package org.alfamix.lab.setting;

import java.util.Locale;
import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.Tuning;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.weights.PublishedWeights;

/**
 * What learns, and how.
 *
 * @param network its name
 * @param start what a round begins from
 * @param checkpoint whose weights a pre-trained network has, as {@code dino}
 * @param tuning which part of a pre-trained network learns; a frozen one makes features, and what
 *     learns is a head on them
 * @param training what differs from the paper's way
 */
public record ModelSpec(
    String network, Start start, Optional<String> checkpoint, Tuning tuning, Training training) {

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
   * @param warmUp epochs in which the rate grows
   * @param finalRate where a cosine schedule ends
   * @param weightDecay of adamw
   */
  public record Training(
      Optimization.Method optimiser,
      Optional<Double> rate,
      Optional<Integer> batch,
      Optional<Double> goal,
      Optional<Integer> epochs,
      Optional<Double> dropout,
      Optional<Integer> warmUp,
      Optional<Double> finalRate,
      Optional<Double> weightDecay,
      Optional<Augmentation> augmentation) {

    /** Fails where a value makes no sense. */
    public Training {
      Optimization optimization =
          new Optimization(optimiser, weightDecay.orElse(0.0), warmUp.orElse(0), finalRate);
      over(
          TrainingOptions.of("", InputShape.table(1)),
          rate,
          batch,
          goal,
          epochs,
          dropout,
          augmentation,
          optimization);
    }

    private TrainingOptions over(TrainingOptions base) {
      Optimization optimization =
          new Optimization(optimiser, weightDecay.orElse(0.0), warmUp.orElse(0), finalRate);
      return over(base, rate, batch, goal, epochs, dropout, augmentation, optimization);
    }

    private static TrainingOptions over(
        TrainingOptions base,
        Optional<Double> rate,
        Optional<Integer> batch,
        Optional<Double> goal,
        Optional<Integer> epochs,
        Optional<Double> dropout,
        Optional<Augmentation> augmentation,
        Optimization optimization) {
      return new TrainingOptions(
          rate.orElse(base.rate()),
          batch.orElse(base.batch()),
          goal.orElse(base.goal()),
          epochs.orElse(base.epochs()),
          dropout.orElse(base.dropout()),
          base.keepGoing(),
          augmentation.orElse(base.augmentation()),
          optimization);
    }
  }

  /** For items of this shape. */
  public TrainingOptions options(InputShape shape) {
    TrainingOptions options = training.over(TrainingOptions.of(learning(), shape));
    return start == Start.CONTINUE ? options.keepingGoing() : options;
  }

  /** Whether what learns is a head on features that stay as they are. */
  public boolean isFrozen() {
    return start == Start.PRE_TRAINED && tuning.equals(Tuning.FROZEN);
  }

  /** Whether images are changed at random in each step. */
  public boolean augments() {
    return training.augmentation.isPresent() && !training.augmentation.get().isNone();
  }

  /** The network that learns: of a frozen one, its head. */
  public String learning() {
    return isFrozen() ? TrainingOptions.FEATURES_NETWORK : network;
  }

  /** Its name without options. */
  public String baseNetwork() {
    return network.split(":", 2)[0];
  }

  /** The published weights it begins from, where it begins from such. */
  public Optional<PublishedWeights> published() {
    return checkpoint.flatMap(name -> PublishedWeights.named(baseNetwork() + "-" + name));
  }

  /** What makes the features, where the network is frozen. */
  public BackboneName backbone() {
    return new BackboneName(
        Optional.of(network),
        published().map(PublishedWeights::name).orElseGet(checkpoint::orElseThrow));
  }
}
