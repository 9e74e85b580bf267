package org.alfamix.datasets;

/** Items of bytes that are decoded or computed on demand. */
public interface PixelInputs extends Inputs {

  @Override
  default boolean hasBytes() {
    return true;
  }

  @Override
  void readBytes(int item, byte[] target, int offset);

  @Override
  default void read(int item, float[] target, int offset) {
    byte[] pixels = new byte[shape().length()];
    readBytes(item, pixels, 0);
    for (int i = 0; i < pixels.length; i++) {
      target[offset + i] = pixels[i] & 0xff;
    }
  }

  @Override
  default boolean isInMemory() {
    return false;
  }
}
