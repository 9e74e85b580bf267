package org.alfamix.learn.embed;

import java.util.function.IntConsumer;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;

/** Makes features of images. It may hold memory that Java does not see: close it. */
public interface Embedder extends AutoCloseable {

  /** What people call it by. */
  String name();

  /** How many features an item has. */
  int features();

  /** What tells it from others: of its weights, its network and what it does to pixels. */
  String digest();

  /**
   * The features of all items, one row each.
   *
   * @param inputs of the shape it was opened for
   * @param progress is told from time to time how many items are done
   */
  FloatMatrix embed(Inputs inputs, IntConsumer progress);

  @Override
  void close();
}
