package org.alfamix.data.video;

/** An open video file whose frames can be read in order. Not safe for several threads at a time. */
public interface Video extends AutoCloseable {

  /** Width of a frame in pixels. */
  int width();

  /** Height of a frame in pixels. */
  int height();

  /**
   * Returns the number of frames. They are counted by decoding, because what containers claim is
   * often wrong.
   */
  int frames();

  /**
   * Decodes some frames.
   *
   * @param frames numbers of frames, ascending; a number may occur several times
   * @param receiver is called for each of them, in this order
   */
  void read(int[] frames, FrameReceiver receiver);

  /** Receives a frame. */
  @FunctionalInterface
  interface FrameReceiver {
    /**
     * @param position the position of the frame among those that were asked for
     * @param rgb height × width × 3 bytes, row by row; valid only during the call
     */
    void accept(int position, byte[] rgb);
  }

  @Override
  void close();
}
