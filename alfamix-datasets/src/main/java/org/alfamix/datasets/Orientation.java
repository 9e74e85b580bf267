package org.alfamix.datasets;

import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * How a camera was held, as JPEG files note it (Exif 2.3, tag 0x0112): browsers turn such pictures
 * upright, Java's decoders do not.
 */
final class Orientation {
  static final int UPRIGHT = 1;

  private static final int TAG = 0x0112;
  private static final int LAST = 8;
  private static final byte[] EXIF = {'E', 'x', 'i', 'f', 0, 0};

  private Orientation() {}

  /** The note of a file, 1 to 8; 1 where there is none that can be read. */
  static int of(byte[] file) {
    try {
      ByteBuffer in = ByteBuffer.wrap(file);
      if (in.getShort() != (short) 0xffd8) {
        return UPRIGHT;
      }
      // Segments: a marker and a length, until the picture begins.
      for (int marker = in.getShort() & 0xffff; marker >> 8 == 0xff && marker != 0xffda; ) {
        int length = in.getShort() & 0xffff;
        int start = in.position();
        if (marker == 0xffe1
            && Arrays.equals(EXIF, 0, EXIF.length, file, start, start + EXIF.length)) {
          return note(ByteBuffer.wrap(file, start + EXIF.length, length - 2 - EXIF.length).slice());
        }
        in.position(start + length - 2);
        marker = in.getShort() & 0xffff;
      }
    } catch (RuntimeException e) {
      // What cannot be read says nothing.
    }
    return UPRIGHT;
  }

  private static int note(ByteBuffer tiff) {
    tiff.order(tiff.get(0) == 'I' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    int directory = tiff.getInt(4);
    int entries = tiff.getShort(directory) & 0xffff;
    for (int e = 0; e < entries; e++) {
      int at = directory + 2 + 12 * e;
      if ((tiff.getShort(at) & 0xffff) == TAG) {
        int value = tiff.getShort(at + 8) & 0xffff;
        return value >= UPRIGHT && value <= LAST ? value : UPRIGHT;
      }
    }
    return UPRIGHT;
  }

  /** Turns and mirrors a picture as its note says. */
  static BufferedImage upright(BufferedImage image, int orientation) {
    if (orientation == UPRIGHT) {
      return image;
    }
    int width = image.getWidth();
    int height = image.getHeight();
    // Where x and y of a pixel go: m00, m10, m01, m11, m02, m12.
    AffineTransform turn =
        switch (orientation) {
          case 2 -> new AffineTransform(-1, 0, 0, 1, width, 0);
          case 3 -> new AffineTransform(-1, 0, 0, -1, width, height);
          case 4 -> new AffineTransform(1, 0, 0, -1, 0, height);
          case 5 -> new AffineTransform(0, 1, 1, 0, 0, 0);
          case 6 -> new AffineTransform(0, 1, -1, 0, height, 0);
          case 7 -> new AffineTransform(0, -1, -1, 0, height, width);
          default -> new AffineTransform(0, -1, 1, 0, 0, width);
        };
    boolean swapped = orientation > 4;
    BufferedImage turned =
        new BufferedImage(
            swapped ? height : width, swapped ? width : height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = turned.createGraphics();
    graphics.drawImage(image, turn, null);
    graphics.dispose();
    return turned;
  }
}
