package org.alfamix.datasets;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The items of a data set before scaling: pixels from 0 to 255, or the values of a table. Items are
 * in memory, or read and decoded on demand.
 *
 * <p>Implementations must be thread-safe.
 */
public interface Inputs {

  /** Returns the number of items. */
  int size();

  InputShape shape();

  /** Writes the values of an item to {@code target}, starting at {@code offset}. */
  void read(int item, float[] target, int offset);

  /**
   * Returns whether all values are integers from 0 to 255. If so, {@link #readBytes} returns them
   * as bytes, which need a quarter of the memory.
   */
  default boolean hasBytes() {
    return false;
  }

  /** Writes the values of an item as bytes, if {@link #hasBytes} is true. */
  default void readBytes(int item, byte[] target, int offset) {
    throw new UnsupportedOperationException("These values are not bytes.");
  }

  /**
   * Returns whether training should use a random view of an item in each epoch, such as a random
   * clip of a video. Such items have bytes.
   */
  default boolean hasRandomViews() {
    return false;
  }

  /** Writes a random view of an item, if {@link #hasRandomViews} is true. */
  default void readRandomView(int item, RandomGenerator random, byte[] target, int offset) {
    throw new UnsupportedOperationException("These items have only one view.");
  }

  /** Returns the same videos with other clips. */
  default Inputs withClips(ClipOptions options) {
    throw new UnsupportedOperationException("These items are not videos.");
  }

  /** Returns a text, if the shape is that of texts. */
  default String text(int item) {
    throw new UnsupportedOperationException("These items are not texts.");
  }

  /** Returns the numbers that belong to a text; usually none. */
  default float[] numbers(int item) {
    return new float[0];
  }

  /** Returns the file of an item; empty if items do not have separate files. */
  default Optional<Path> file(int item) {
    return Optional.empty();
  }

  /** Adds an item to a digest: its values, or the file that they are decoded from. */
  default void digest(int item, MessageDigest digest) {
    int length = shape().length();
    if (hasBytes()) {
      byte[] bytes = new byte[length];
      readBytes(item, bytes, 0);
      digest.update(bytes);
    } else {
      float[] values = new float[length];
      read(item, values, 0);
      ByteBuffer bytes = ByteBuffer.allocate(4 * length);
      bytes.asFloatBuffer().put(values);
      digest.update(bytes.array());
    }
  }

  /** Returns whether reading an item is cheap, that is, no file has to be decoded. */
  default boolean isInMemory() {
    return true;
  }

  /**
   * Returns the identifier of an item in its source: the name of its file, its line in the table,
   * or its index. Stable as long as the data do not change.
   */
  default String id(int item) {
    return Integer.toString(item);
  }

  /** Returns a description of an item for messages. */
  default String describe(int item) {
    return "item " + id(item);
  }
}
