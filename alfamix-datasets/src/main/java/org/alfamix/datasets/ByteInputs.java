package org.alfamix.datasets;

/** Images in memory: one byte per value, channel by channel. */
public final class ByteInputs implements Inputs {
  private final InputShape shape;
  private final int length;
  private final int size;
  private final byte[] pixels;

  /**
   * @param pixels the images, concatenated; not copied
   */
  public ByteInputs(InputShape shape, byte[] pixels) {
    this.shape = shape;
    this.length = shape.length();
    this.pixels = pixels;
    if (pixels.length % length != 0) {
      throw new IllegalArgumentException(
          "%d bytes are not a multiple of the size of an image of %s."
              .formatted(pixels.length, shape));
    }
    this.size = pixels.length / length;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public InputShape shape() {
    return shape;
  }

  @Override
  public void read(int item, float[] target, int offset) {
    int from = item * length;
    for (int i = 0; i < length; i++) {
      target[offset + i] = pixels[from + i] & 0xff;
    }
  }

  @Override
  public boolean hasBytes() {
    return true;
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    System.arraycopy(pixels, item * length, target, offset, length);
  }
}
