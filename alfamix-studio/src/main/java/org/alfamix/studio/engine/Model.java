package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;

/** A model that learns from labels. */
interface Model extends AutoCloseable {

  /**
   * Trains from initial weights.
   *
   * @param items the labelled items
   * @param labels their classes, by place
   * @param classNames all classes, by place
   */
  void learn(int[] items, int[] labels, List<String> classNames);

  /** Returns the trained model as a query strategy sees it. */
  Snapshot snapshot(int[] unlabelled, int[] labelled, int[] labels);

  /** Returns the features of items; before the first training, those of the input. */
  FloatMatrix embed(int[] items);

  @Override
  default void close() {}
}
