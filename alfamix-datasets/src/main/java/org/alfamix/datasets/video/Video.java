package org.alfamix.datasets.video;

/** An open video file whose frames can be read in order. Not thread-safe. */
public interface Video extends AutoCloseable {

  /** Returns the width of an upright frame in pixels, as displayed. */
  int width();

  /** Returns the height of an upright frame in pixels, as displayed. */
  int height();

  /**
   * Returns the number of frames. They are counted by decoding, because the number in containers is
   * often wrong.
   */
  int frames();

  /** Returns FFmpeg's names of codec and pixel format, such as {@code h264 yuv420p}. */
  String encoding();

  /**
   * Decodes and resizes frames.
   *
   * @param frames numbers of frames, ascending; duplicates are allowed
   * @param width width of the frames passed to the receiver
   * @param height height of the frames passed to the receiver
   * @param receiver called for each frame, in the given order
   */
  void read(int[] frames, int width, int height, FrameReceiver receiver);

  /** Decodes frames at their original size. */
  default void read(int[] frames, FrameReceiver receiver) {
    read(frames, width(), height(), receiver);
  }

  /** Receives a frame. */
  @FunctionalInterface
  interface FrameReceiver {
    /**
     * @param position the index of the frame among the requested ones
     * @param rgb height × width × 3 bytes, row by row; valid only during the call
     */
    void accept(int position, byte[] rgb);
  }

  @Override
  void close();
}
