package org.alfamix.learn;

import java.util.List;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.error.InvalidRequestException;

/**
 * The settings of a learner. The same spec gives the same weights on the same machine.
 *
 * @param network the name of the network
 * @param input the shape of an item
 * @param scaling the scaling of the values of an item
 * @param classNames the classes, in the order of the head's rows
 * @param training the training options
 * @param pretraining the initial weights, and the part of the network that is trained
 * @param seed the seed of initial weights, item orders and dropout
 * @param threads number of threads that compute; it changes the order of sums, and so the last
 *     digits
 * @param device {@code auto}, {@code cpu} or {@code cuda:N}
 */
public record LearnerSpec(
    String network,
    InputShape input,
    Scaling scaling,
    List<String> classNames,
    TrainingOptions training,
    Pretraining pretraining,
    long seed,
    int threads,
    String device) {

  private static final int MAX_THREADS = 256;

  public LearnerSpec {
    classNames = List.copyOf(classNames);
    if (classNames.size() < 2) {
      throw new InvalidRequestException("A learner needs at least two classes.");
    }
    if (scaling.shift().length != input.channels()) {
      throw new InvalidRequestException(
          "The scaling has %d channels, but items are %s."
              .formatted(scaling.shift().length, input));
    }
    if (threads < 1 || threads > MAX_THREADS) {
      throw new InvalidRequestException(
          "threads", "must be from 1 to %d, got %d.".formatted(MAX_THREADS, threads));
    }
  }

  /** Returns a spec for a data set, with the training options of the paper, on all processors. */
  public static LearnerSpec of(String network, Dataset data, long seed) {
    return new LearnerSpec(
        network,
        data.shape(),
        data.scaling(),
        data.classNames(),
        TrainingOptions.of(network, data.shape()),
        Pretraining.NONE,
        seed,
        Runtime.getRuntime().availableProcessors(),
        "auto");
  }

  public int classes() {
    return classNames.size();
  }

  public LearnerSpec withTraining(TrainingOptions other) {
    return new LearnerSpec(
        network, input, scaling, classNames, other, pretraining, seed, threads, device);
  }

  public LearnerSpec withThreads(int other) {
    return new LearnerSpec(
        network, input, scaling, classNames, training, pretraining, seed, other, device);
  }

  public LearnerSpec withDevice(String other) {
    return new LearnerSpec(
        network, input, scaling, classNames, training, pretraining, seed, threads, other);
  }

  public LearnerSpec withPretraining(Pretraining other) {
    return new LearnerSpec(
        network, input, scaling, classNames, training, other, seed, threads, device);
  }
}
