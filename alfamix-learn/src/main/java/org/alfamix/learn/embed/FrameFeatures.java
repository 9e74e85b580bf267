package org.alfamix.learn.embed;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * The pooling of features of evenly spaced frames into features of a video.
 *
 * @param frames number of frames
 */
public record FrameFeatures(int frames, Pooling pooling) {

  /** The mean of eight frames. */
  public static final FrameFeatures DEFAULT = new FrameFeatures(8, Pooling.MEAN);

  private static final int MAX_FRAMES = 1024;

  /** The ways to combine the features of frames. */
  public enum Pooling {
    /** The mean of each feature. */
    MEAN,
    /** The largest value of each feature. */
    MAX,
    /** The mean and the standard deviation: twice as many features. */
    MEAN_DEVIATION;

    public static Pooling parse(String text) {
      return Arrays.stream(values())
          .filter(pooling -> pooling.toString().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new InvalidRequestException(
                      "frame-pooling",
                      "is '%s', expected %s."
                          .formatted(
                              text,
                              Arrays.stream(values())
                                  .map(Pooling::toString)
                                  .collect(Collectors.joining(", ")))));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public FrameFeatures {
    if (frames < 1 || frames > MAX_FRAMES) {
      throw new InvalidRequestException(
          "clip-frames", "is %d, expected 1 to %,d.".formatted(frames, MAX_FRAMES));
    }
  }

  /** Returns the number of features of a video, given those of a frame. */
  int width(int ofFrame) {
    return pooling == Pooling.MEAN_DEVIATION ? 2 * ofFrame : ofFrame;
  }
}
