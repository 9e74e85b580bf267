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
 * The network of a setting, and its training.
 *
 * @param network its name
 * @param start the weights that each round starts from
 * @param checkpoint the origin of pre-trained weights, such as {@code dino}
 * @param tuning the part of a pre-trained network that is trained; a frozen network computes
 *     features, and a head on them is trained
 * @param training options that differ from the paper's training
 */
public record ModelSpec(
    String network, Start start, Optional<String> checkpoint, Tuning tuning, Training training) {

  /** The weights that each round starts from. */
  public enum Start {
    /** The initial random weights of the run, the same in every round. */
    RANDOM,
    /** New random weights in every round, the same for all methods of a seed. */
    FRESH,
    /** The weights of the previous round. */
    CONTINUE,
    /** Published weights. */
    PRE_TRAINED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Training options; empty values default to the paper's.
   *
   * @param warmUp number of epochs in which the rate increases
   * @param finalRate the last learning rate of a cosine schedule
   * @param weightDecay weight decay of adamw
   */
  public record Training(
      Optimization.Method optimizer,
      Optional<Double> rate,
      Optional<Integer> batch,
      Optional<Double> goal,
      Optional<Integer> epochs,
      Optional<Double> dropout,
      Optional<Integer> warmUp,
      Optional<Double> finalRate,
      Optional<Double> weightDecay,
      Optional<Augmentation> augmentation) {

    /** Validates the values. */
    public Training {
      Optimization optimization =
          new Optimization(optimizer, weightDecay.orElse(0.0), warmUp.orElse(0), finalRate);
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
          new Optimization(optimizer, weightDecay.orElse(0.0), warmUp.orElse(0), finalRate);
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
          base.warmStart(),
          augmentation.orElse(base.augmentation()),
          optimization);
    }
  }

  /** Returns the training options for items of this shape. */
  public TrainingOptions options(InputShape shape) {
    TrainingOptions options = training.over(TrainingOptions.of(trainedNetwork(), shape));
    return start == Start.CONTINUE ? options.withWarmStart() : options;
  }

  /** Returns whether only a head is trained, on features of a frozen network. */
  public boolean isFrozen() {
    return start == Start.PRE_TRAINED && tuning.equals(Tuning.FROZEN);
  }

  /** Returns whether training images are augmented at random in each step. */
  public boolean augments() {
    return training.augmentation.isPresent() && !training.augmentation.get().isNone();
  }

  /** Returns the name of the network that is trained: the head if the network is frozen. */
  public String trainedNetwork() {
    return isFrozen() ? TrainingOptions.FEATURES_NETWORK : network;
  }

  /** Returns the name of the network without its options. */
  public String baseNetwork() {
    return network.split(":", 2)[0];
  }

  /** Returns the published weights that training starts from, if any. */
  public Optional<PublishedWeights> published() {
    return checkpoint.flatMap(name -> PublishedWeights.named(baseNetwork() + "-" + name));
  }

  /** Returns the backbone that computes the features of a frozen network. */
  public BackboneName backbone() {
    return new BackboneName(
        Optional.of(network),
        published().map(PublishedWeights::name).orElseGet(checkpoint::orElseThrow));
  }
}
