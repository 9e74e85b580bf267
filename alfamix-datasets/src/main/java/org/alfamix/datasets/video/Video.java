package org.alfamix.datasets.video;

/** An open video file whose frames can be read in order. Not safe for several threads at a time. */
public interface Video extends AutoCloseable {

  /** Returns the width of a frame in pixels, as people see it: upright. */
  int width();

  /** Returns the height of a frame in pixels, as people see it: upright. */
  int height();

  /**
   * Returns the number of frames. They are counted by decoding, because what containers claim is
   * often wrong.
   */
  int frames();

  /** Returns FFmpeg's names of codec and pixel format, as {@code h264 yuv420p}. */
  String encoding();

  /**
   * Decodes some frames and resizes them.
   *
   * @param frames numbers of frames, ascending; a number may occur several times
   * @param width of the frames that the receiver gets
   * @param height likewise
   * @param receiver is called for each of them, in this order
   */
  void read(int[] frames, int width, int height, FrameReceiver receiver);

  /** Decodes some frames at their own size. */
  default void read(int[] frames, FrameReceiver receiver) {
    read(frames, width(), height(), receiver);
  }

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
