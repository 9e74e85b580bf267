package org.alfamix.datasets;

import org.alfamix.datasets.video.ClipSampling;
import org.alfamix.error.InvalidRequestException;

/**
 * The clip that represents a video: number, distance and size of its frames.
 *
 * @param frames number of frames
 * @param stride distance between neighbouring frames, or {@link #EVEN} for frames spaced evenly
 *     over the whole video
 * @param side height and width of a frame
 */
public record ClipOptions(int frames, int stride, int side) {
  /** The stride of frames that are spaced evenly over the whole video. */
  public static final int EVEN = 0;

  /** The paper's clips for MViT on HMDB51: every second frame, 32 frames of 224 x 224 pixels. */
  public static final ClipOptions PAPER =
      new ClipOptions(ClipSampling.PAPER.frames(), ClipSampling.PAPER.stride(), 224);

  private static final int MAX_FRAMES = 1024;
  private static final int MAX_STRIDE = 1024;
  private static final int MAX_SIDE = 4096;
  private static final int MAX_PIXELS = 1 << 26;

  public ClipOptions {
    require("clip-frames", frames, 1, MAX_FRAMES);
    require("clip-stride", stride, EVEN, MAX_STRIDE);
    require("image-size", side, 1, MAX_SIDE);
    if ((long) frames * side * side > MAX_PIXELS) {
      throw new InvalidRequestException(
          "clip-frames",
          "is %d and image-size %d: a clip has more than %,d pixels."
              .formatted(frames, side, MAX_PIXELS));
    }
  }

  private static void require(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new InvalidRequestException(
          name, "is %d, expected %d to %,d.".formatted(value, min, max));
    }
  }

  /** Returns options for frames spaced evenly over the whole video, resized without cropping. */
  public static ClipOptions even(int frames, int side) {
    return new ClipOptions(frames, EVEN, side);
  }

  boolean isEven() {
    return stride == EVEN;
  }

  ClipSampling sampling() {
    return new ClipSampling(frames, stride);
  }

  /** Returns the shape of an item. */
  public InputShape shape() {
    return InputShape.video(frames, side, side);
  }
}
