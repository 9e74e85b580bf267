package org.alfamix.learn.embed;

import java.util.List;
import java.util.function.IntConsumer;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;

/** Computes features of images, videos or texts. It may hold native memory: close it. */
public interface Embedder extends AutoCloseable {

  /** Returns the name that users write. */
  String name();

  /** Returns the number of features of an item. */
  int features();

  /** Returns a text that identifies the features: by weights, network and scaling of pixels. */
  String digest();

  /**
   * Returns the features of all items, one row each.
   *
   * @param inputs items of the shape that the embedder was opened for
   * @param progress called from time to time with the number of items computed so far
   */
  FloatMatrix embed(Inputs inputs, IntConsumer progress);

  /** Returns remarks on what {@link #embed} did, such as the number of texts that were cut. */
  default List<String> remarks() {
    return List.of();
  }

  @Override
  void close();
}
