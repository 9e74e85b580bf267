package org.alfamix.dataset;

/**
 * What one item looks like to a network: an image, or a row of a table.
 *
 * @param image whether the values are pixels; a table has one channel per column
 */
public record InputShape(boolean image, int channels, int height, int width) {

  private static final int MOST = 1 << 28;

  public InputShape {
    if (channels < 1 || height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "An input of %d x %d x %d has no values.".formatted(channels, height, width));
    }
    // One by one: the product of all three may leave the range of long.
    if ((long) height * width > MOST || channels * ((long) height * width) > MOST) {
      throw new IllegalArgumentException(
          "An input of %d x %d x %d is too large.".formatted(channels, height, width));
    }
  }

  public static InputShape image(int channels, int height, int width) {
    return new InputShape(true, channels, height, width);
  }

  public static InputShape table(int columns) {
    return new InputShape(false, columns, 1, 1);
  }

  /** Number of values of an item: channel by channel, row by row. */
  public int length() {
    return channels * height * width;
  }

  /** In words, as {@code 3 x 32 x 32 pixels} or {@code 16 columns}. */
  @Override
  public String toString() {
    return image
        ? "%d x %d x %d pixels".formatted(channels, height, width)
        : channels + (channels == 1 ? " column" : " columns");
  }
}
