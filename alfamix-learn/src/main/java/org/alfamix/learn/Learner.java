package org.alfamix.learn;

import java.nio.file.Path;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;
import org.alfamix.model.Snapshot;

/**
 * A model that is fitted to labelled items, round after round, and whose predictions guide the
 * selection of items to label.
 *
 * <p>A learner holds native memory: close it. It is not thread-safe.
 */
public interface Learner extends AutoCloseable {

  /** Receives the progress of a fit. */
  @FunctionalInterface
  interface FitListener {

    /**
     * Called after each epoch.
     *
     * @param epoch number of the epoch, counted from 1
     * @param accuracy share of the labelled items predicted correctly during the epoch
     * @param loss their mean cross-entropy
     */
    void epoch(int epoch, double accuracy, double loss);
  }

  /** Returns the settings of this learner. */
  LearnerSpec spec();

  /** Returns the length of an embedding. */
  int features();

  /** Returns the device that computes, such as {@code cpu} or {@code cuda:0}. */
  String device();

  /** Returns the number of trainable values. */
  long parameters();

  /**
   * Fits the model to some items, starting from its initial or its current weights, as set in its
   * spec.
   *
   * @param items indices of the labelled items in the inputs
   * @param labels the class of each labelled item
   * @param listener called after each epoch
   */
  Fit fit(Inputs inputs, int[] items, int[] labels, FitListener listener);

  /** Fits the model without a listener. */
  default Fit fit(Inputs inputs, int[] items, int[] labels) {
    return fit(inputs, items, labels, (epoch, accuracy, loss) -> {});
  }

  /**
   * Continues as if the learner had already been fitted {@code count} times, so that an interrupted
   * experiment can be resumed: the item orders of a fit depend on its number.
   */
  void skipFits(int count);

  /**
   * Returns the share of items that are predicted correctly; NaN if there are no items.
   *
   * @param labels the class of each of the inputs
   */
  double accuracy(Inputs inputs, int[] labels);

  /** Returns the embeddings of some items, one row each. */
  FloatMatrix embed(Inputs inputs, int[] items);

  /** Returns the last layer with its current weights; it need not be linear. */
  Head head();

  /**
   * Returns a snapshot of a pool for query strategies. Embeddings are computed in one pass, and
   * dropout samples are computed from them.
   *
   * @param unlabelled the items that can be picked
   * @param labelled the items whose labels are known
   * @param labels the class of each labelled item
   */
  Snapshot snapshot(
      Inputs inputs, int[] unlabelled, int[] labelled, int[] labels, SnapshotOptions options);

  /**
   * Writes the weights to a safetensors file and their description to a JSON file next to it.
   *
   * @param training the record of the training, which is saved with the weights
   */
  void save(Path file, TrainingRecord training);

  @Override
  void close();
}
