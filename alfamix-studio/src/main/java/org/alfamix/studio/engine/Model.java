package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;

/** What learns from labels. */
interface Model extends AutoCloseable {

  /**
   * Learns, from the beginning.
   *
   * @param items which ones
   * @param labels their classes, by place
   * @param classNames all classes, by place
   */
  void learn(int[] items, int[] labels, List<String> classNames);

  /** What was learnt, for a method to choose by. */
  Snapshot snapshot(int[] unlabelled, int[] labelled, int[] labels);

  /** Where items lie: before anything was learnt, as they are. */
  FloatMatrix embed(int[] items);

  @Override
  default void close() {}
}
