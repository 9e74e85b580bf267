package org.alfamix.datasets.video;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Selects the frames of a clip: {@code frames} frames, {@code stride} apart. Videos that are too
 * short return evenly spaced frames instead, some of them repeatedly.
 *
 * @param frames number of frames of a clip
 * @param stride distance between neighbouring frames
 */
public record ClipSampling(int frames, int stride) {
  /** The paper's sampling for MViT on HMDB51: every second frame, 32 frames. */
  public static final ClipSampling PAPER = new ClipSampling(32, 2);

  public ClipSampling {
    if (frames < 1 || stride < 1) {
      throw new IllegalArgumentException(
          "A clip needs at least one frame and a stride of at least 1, found %d and %d."
              .formatted(frames, stride));
    }
  }

  /** Returns the frames of the clip at the centre of a video, for testing. */
  public int[] centred(int total) {
    int rest = total - span();
    return rest < 0 ? even(total, frames) : from(rest / 2);
  }

  /** Returns the frames of a clip with a random start, for training. */
  public int[] random(int total, RandomGenerator random) {
    int rest = total - span();
    return rest < 0 ? even(total, frames) : from(random.nextInt(rest + 1));
  }

  private int[] from(int start) {
    return IntStream.range(0, frames).map(i -> start + i * stride).toArray();
  }

  /** Returns the number of frames from the first to the last one of a clip. */
  private int span() {
    return (frames - 1) * stride + 1;
  }

  /**
   * Returns the middle frames of {@code count} equal parts of a video.
   *
   * @param total number of frames of the video, at least 1
   */
  public static int[] even(int total, int count) {
    if (total < 1 || count < 1) {
      throw new IllegalArgumentException(
          "Cannot select %d of %d frames; expected at least 1 of each.".formatted(count, total));
    }
    return IntStream.range(0, count)
        .map(i -> (int) ((2L * i + 1) * total / (2L * count)))
        .toArray();
  }
}
