package org.alfamix.datasets;

import java.awt.Graphics2D;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The orientation of the camera, which JPEG files store in Exif tag 0x0112 (Exif 2.3). Browsers
 * rotate such images upright; Java's decoders do not.
 */
final class Orientation {
  static final int UPRIGHT = 1;

  private static final int TAG = 0x0112;
  private static final int LAST = 8;
  private static final byte[] EXIF = {'E', 'x', 'i', 'f', 0, 0};

  private Orientation() {}

  /** Returns the orientation of a file, from 1 to 8; 1 if it has no readable one. */
  static int of(byte[] file) {
    try {
      ByteBuffer in = ByteBuffer.wrap(file);
      if (in.getShort() != (short) 0xffd8) {
        return UPRIGHT;
      }
      // Segments, each with a marker and a length, up to the image data.
      for (int marker = in.getShort() & 0xffff; marker >> 8 == 0xff && marker != 0xffda; ) {
        int length = in.getShort() & 0xffff;
        int start = in.position();
        if (marker == 0xffe1
            && Arrays.equals(EXIF, 0, EXIF.length, file, start, start + EXIF.length)) {
          return readTag(
              ByteBuffer.wrap(file, start + EXIF.length, length - 2 - EXIF.length).slice());
        }
        in.position(start + length - 2);
        marker = in.getShort() & 0xffff;
      }
    } catch (RuntimeException e) {
      // A corrupt file has no readable orientation.
    }
    return UPRIGHT;
  }

  private static int readTag(ByteBuffer tiff) {
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

  /** Rotates and mirrors an image according to its orientation. */
  static BufferedImage upright(BufferedImage image, int orientation) {
    if (orientation == UPRIGHT) {
      return image;
    }
    int width = image.getWidth();
    int height = image.getHeight();
    // The transform of pixel coordinates: m00, m10, m01, m11, m02, m12.
    AffineTransform transform =
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
    BufferedImage rotated =
        new BufferedImage(
            swapped ? height : width, swapped ? width : height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = rotated.createGraphics();
    graphics.drawImage(image, transform, null);
    graphics.dispose();
    return rotated;
  }
}
