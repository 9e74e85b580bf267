package org.alfamix.learn;

import java.nio.file.Path;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * A model that is fitted to labelled items, round after round, and asked what it knows.
 *
 * <p>A learner holds memory that Java does not see: close it. It is used by one thread at a time.
 */
public interface Learner extends AutoCloseable {

  /** Hears how a fit goes. */
  @FunctionalInterface
  interface FitListener {

    /**
     * @param epoch counted from 1
     * @param accuracy share of the labelled items that were predicted rightly in it
     * @param loss their mean cross-entropy
     */
    void epoch(int epoch, double accuracy, double loss);
  }

  /** How it was made. */
  LearnerSpec spec();

  /** Length of an embedding. */
  int features();

  /** Where it computes, as {@code cpu} or {@code cuda:0}. */
  String device();

  /** Number of values that are learnt. */
  long parameters();

  /**
   * Fits the model to some items: from the weights it was born with, or from those it has, as its
   * spec says.
   *
   * @param items which of the inputs are labelled
   * @param labels the class of each of them
   * @param listener hears of every epoch
   */
  Fit fit(Inputs inputs, int[] items, int[] labels, FitListener listener);

  /** The same, with nobody listening. */
  default Fit fit(Inputs inputs, int[] items, int[] labels) {
    return fit(inputs, items, labels, (epoch, accuracy, loss) -> {});
  }

  /**
   * Goes on as if it had been fitted so often already: the orders of a fit are those of its number,
   * so that an experiment that was cut off can be taken up again.
   */
  void skipFits(int count);

  /**
   * The share of items that are predicted rightly; NaN where there are none.
   *
   * @param labels the class of each of the inputs
   */
  double accuracy(Inputs inputs, int[] labels);

  /** The embeddings of some items, one row each. */
  FloatMatrix embed(Inputs inputs, int[] items);

  /** The last layer, as it is now. */
  LinearHead head();

  /**
   * What the model knows of a pool at this moment, for a query strategy to look at. Embeddings are
   * computed in one pass; dropout samples are drawn from them.
   *
   * @param unlabelled the items that may be chosen
   * @param labelled the items whose labels are known
   * @param labels their classes
   */
  Snapshot snapshot(
      Inputs inputs, int[] unlabelled, int[] labelled, int[] labels, SnapshotOptions options);

  /**
   * Writes the weights to a safetensors file and their description to a JSON file beside it.
   *
   * @param training what the model has learnt from, to be kept with it
   */
  void save(Path file, TrainingRecord training);

  @Override
  void close();
}
