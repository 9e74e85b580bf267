package org.alfamix.datasets;

import java.security.MessageDigest;

/** Images that are resized on demand, as colour images. */
public final class ResizedInputs implements PixelInputs {
  private static final int COLOURS = 3;

  private final Inputs origin;
  private final InputShape shape;

  /**
   * @param origin images with pixels from 0 to 255, in colour or grey
   * @param side the new height and width
   */
  public ResizedInputs(Inputs origin, int side) {
    InputShape from = origin.shape();
    if (!from.isImage() || from.channels() != 1 && from.channels() != COLOURS) {
      throw new IllegalArgumentException(
          "Cannot resize %s; expected images with 1 or 3 channels.".formatted(from));
    }
    this.origin = origin;
    this.shape = InputShape.image(COLOURS, side, side);
  }

  @Override
  public int size() {
    return origin.size();
  }

  @Override
  public InputShape shape() {
    return shape;
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    InputShape from = origin.shape();
    float[] values = new float[from.length()];
    origin.read(item, values, 0);
    int area = from.height() * from.width();
    int newArea = shape.height() * shape.width();
    for (int c = 0; c < COLOURS; c++) {
      int to = offset + c * newArea;
      if (c >= from.channels()) {
        System.arraycopy(target, offset, target, to, newArea);
        continue;
      }
      float[] plane = new float[area];
      System.arraycopy(values, c * area, plane, 0, area);
      Resampling.toBytes(
          Resampling.resize(plane, from.height(), from.width(), shape.height(), shape.width()),
          target,
          to);
    }
  }

  @Override
  public void digest(int item, MessageDigest digest) {
    origin.digest(item, digest);
  }

  @Override
  public String id(int item) {
    return origin.id(item);
  }

  @Override
  public String describe(int item) {
    return origin.describe(item);
  }
}
