package org.alfamix.datasets;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The items of a data set as a network sees them, before they are scaled: pixels from 0 to 255, or
 * the values of a table. Items may be in memory, or read and decoded when they are asked for.
 *
 * <p>Implementations must allow calls from several threads.
 */
public interface Inputs {

  /** Number of items. */
  int size();

  InputShape shape();

  /** Writes the values of an item to {@code target}, from {@code offset} on. */
  void read(int item, float[] target, int offset);

  /**
   * Whether all values are whole numbers from 0 to 255, which {@link #readBytes} then gives: a
   * quarter of the memory to move.
   */
  default boolean hasBytes() {
    return false;
  }

  /** The same values as bytes, where there are such. */
  default void readBytes(int item, byte[] target, int offset) {
    throw new UnsupportedOperationException("These values are no bytes.");
  }

  /**
   * Returns whether training should see an item differently in each epoch, as a video of which a
   * clip is cut out at random. Such items have bytes.
   */
  default boolean hasRandomViews() {
    return false;
  }

  /** Writes a random view of an item, where there are such. */
  default void readRandomView(int item, RandomGenerator random, byte[] target, int offset) {
    throw new UnsupportedOperationException("These items have one view.");
  }

  /** Returns the same videos with other clips of them. */
  default Inputs withClips(ClipOptions options) {
    throw new UnsupportedOperationException("These items are not videos.");
  }

  /** Returns the file of an item that has one of its own. */
  default Optional<Path> file(int item) {
    return Optional.empty();
  }

  /** Adds what an item's values follow from to a digest: the values, or the file they come from. */
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

  /** Whether reading an item costs next to nothing; files are decoded first. */
  default boolean isInMemory() {
    return true;
  }

  /**
   * What an item is called where it comes from: the name of its file, the line of its table, its
   * number. It stays the same as long as the data do.
   */
  default String id(int item) {
    return Integer.toString(item);
  }

  /** What to call an item in a message. */
  default String describe(int item) {
    return "item " + id(item);
  }
}
