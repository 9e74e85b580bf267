package org.alfamix.datasets;

import org.alfamix.error.InvalidRequestException;

/**
 * The shape of an item as a network sees it: an image, a video clip, a row of a table, or a text.
 *
 * @param kind the kind of the values; a table has one channel per column
 * @param frames number of frames of a clip; 1 for anything else
 */
public record InputShape(Kind kind, int channels, int frames, int height, int width) {

  /** Kinds of items. */
  public enum Kind {
    TABLE,
    IMAGE,
    VIDEO,
    /** Texts have no numbers: features of them are computed first. */
    TEXT
  }

  private static final int MAX_LENGTH = 1 << 28;
  private static final int COLOURS = 3;

  public InputShape {
    if (channels < 1 || frames < 1 || height < 1 || width < 1) {
      throw new InvalidRequestException(
          "Invalid input shape %s: expected at least 1 in every dimension."
              .formatted(dimensions(channels, frames, height, width)));
    }
    // Step by step: the product of all of them may overflow a long.
    if ((long) height * width > MAX_LENGTH
        || frames * ((long) height * width) > MAX_LENGTH
        || channels * (frames * ((long) height * width)) > MAX_LENGTH) {
      throw new InvalidRequestException(
          "Input shape %s is too large; expected at most %,d values."
              .formatted(dimensions(channels, frames, height, width), MAX_LENGTH));
    }
  }

  private static String dimensions(int channels, int frames, int height, int width) {
    return (frames == 1 ? "" : frames + " frames of ")
        + "%d x %d x %d".formatted(channels, height, width);
  }

  public static InputShape image(int channels, int height, int width) {
    return new InputShape(Kind.IMAGE, channels, 1, height, width);
  }

  public static InputShape table(int columns) {
    return new InputShape(Kind.TABLE, columns, 1, 1, 1);
  }

  /** Returns the shape of a colour clip. */
  public static InputShape video(int frames, int height, int width) {
    return new InputShape(Kind.VIDEO, COLOURS, frames, height, width);
  }

  /** Returns the shape of texts. */
  public static InputShape text() {
    return new InputShape(Kind.TEXT, 1, 1, 1, 1);
  }

  /** Returns whether items are texts. */
  public boolean isText() {
    return kind == Kind.TEXT;
  }

  /** Returns whether items are images. */
  public boolean isImage() {
    return kind == Kind.IMAGE;
  }

  /** Returns whether items are video clips. */
  public boolean isVideo() {
    return kind == Kind.VIDEO;
  }

  /** Returns the number of values of one channel. */
  public int channelLength() {
    return frames * height * width;
  }

  /** Returns the number of values of an item: channel by channel, frame by frame, row by row. */
  public int length() {
    return channels * channelLength();
  }

  /** Returns a description such as {@code 3 x 32 x 32 pixels} or {@code 16 columns}. */
  @Override
  public String toString() {
    if (isText()) {
      return "texts";
    }
    return kind == Kind.TABLE
        ? channels + (channels == 1 ? " column" : " columns")
        : dimensions(channels, frames, height, width)
            + (kind == Kind.VIDEO && frames == 1 ? " pixels, one frame" : " pixels");
  }
}
