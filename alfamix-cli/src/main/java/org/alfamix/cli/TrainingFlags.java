package org.alfamix.cli;

import java.util.Optional;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.TrainingOptions;
import picocli.CommandLine.Option;

/** Training options, some with defaults that depend on the data. */
final class TrainingFlags {
  @Option(
      names = "--augment",
      paramLabel = "LIST",
      description =
          "Random augmentations of images, separated by commas: crop (with a padding of 4 pixels),"
              + " crop=PIXELS, flip.")
  private String augment;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "Learning rate (default: 0.001 for images, 0.0001 for tables).")
  private Double rate;

  @Option(names = "--batch", paramLabel = "N", description = "Batch size (default: 64).")
  private Integer batch;

  @Option(
      names = "--goal",
      paramLabel = "SHARE|none",
      description =
          "The training accuracy at which training stops, or none to train for all --epochs"
              + " (default: 0.99).")
  private String goal;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Maximum number of epochs (default: 1000).")
  private Integer epochs;

  @Option(
      names = "--dropout",
      paramLabel = "SHARE",
      description = "Dropout rate before the head (default: 0).")
  private Double dropout;

  @Option(
      names = "--optimizer",
      paramLabel = "NAME",
      description = "The optimizer: adam or adamw (default: adam).")
  private String optimizer;

  @Option(names = "--optimiser", hidden = true, description = "Former spelling of --optimizer.")
  private void setFormerOptimizer(String value) {
    optimizer = value;
  }

  @Option(
      names = "--weight-decay",
      paramLabel = "SHARE",
      description = "Weight decay, for adamw (default: 0).")
  private Double weightDecay;

  @Option(
      names = "--warm-up-epochs",
      paramLabel = "N",
      description = "Number of epochs with linear warm-up of the learning rate (default: 0).")
  private Integer warmUpEpochs;

  @Option(
      names = "--final-rate",
      paramLabel = "R",
      description = "Final learning rate of a cosine schedule (default: a constant rate).")
  private Double finalRate;

  /** Returns whether images are augmented. */
  boolean augmentsImages() {
    return augment != null;
  }

  /** Returns the options with the values given on the command line. */
  TrainingOptions applyTo(TrainingOptions options) {
    TrainingOptions result = options;
    result = rate == null ? result : result.withRate(rate);
    result = batch == null ? result : result.withBatch(batch);
    result = goal == null ? result : result.withGoal(TrainingOptions.parseGoal(goal));
    result = epochs == null ? result : result.withEpochs(epochs);
    result = dropout == null ? result : result.withDropout(dropout);
    result = result.withOptimization(optimization(result.optimization()));
    return augment == null ? result : result.withAugmentation(Augmentation.parse(augment));
  }

  private Optimization optimization(Optimization base) {
    return new Optimization(
        optimizer == null ? base.method() : Optimization.Method.parse(optimizer),
        weightDecay == null ? base.weightDecay() : weightDecay,
        warmUpEpochs == null ? base.warmUpEpochs() : warmUpEpochs,
        finalRate == null ? base.finalRate() : Optional.of(finalRate));
  }
}
