package org.alfamix.datasets;

import org.alfamix.datasets.video.ClipSampling;
import org.alfamix.error.InvalidRequestException;

/**
 * The clip of a video that an item shows.
 *
 * @param frames number of frames
 * @param stride distance of neighbouring frames, or {@link #EVEN} for frames that are spread evenly
 *     over the whole video
 * @param side height and width of a frame
 */
public record ClipOptions(int frames, int stride, int side) {
  /** Stands for frames that are spread evenly over the whole video. */
  public static final int EVEN = 0;

  /** The paper's clips for MViT on HMDB51: 32 frames, every second one, of 224 x 224 pixels. */
  public static final ClipOptions PAPER =
      new ClipOptions(ClipSampling.PAPER.frames(), ClipSampling.PAPER.stride(), 224);

  private static final int MOST_FRAMES = 1024;
  private static final int MOST_STRIDE = 1024;
  private static final int MOST_SIDE = 4096;
  private static final int MOST_PIXELS = 1 << 26;

  public ClipOptions {
    require("clip-frames", frames, 1, MOST_FRAMES);
    require("clip-stride", stride, EVEN, MOST_STRIDE);
    require("image-size", side, 1, MOST_SIDE);
    if ((long) frames * side * side > MOST_PIXELS) {
      throw new InvalidRequestException(
          "clip-frames",
          "is %d and image-size %d: a clip has more than %,d pixels."
              .formatted(frames, side, MOST_PIXELS));
    }
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new InvalidRequestException(
          name, "is %d, expected %d to %,d.".formatted(value, least, most));
    }
  }

  /** Returns frames that are spread evenly over the whole video, each resized as a whole. */
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
