package org.alfamix.dataset;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import javax.imageio.ImageIO;
import org.alfamix.data.DataException;

/** Turns image files into bytes that a network can take in. */
final class Images {
  private static final Set<String> ENDINGS = Set.of("jpg", "jpeg", "png", "webp", "bmp", "gif");

  static {
    // A temporary file for each image would cost more than the image.
    ImageIO.setUseCache(false);
  }

  private Images() {}

  /** Whether a file of this name is an image that may be read. */
  static boolean isImage(String name) {
    int dot = name.lastIndexOf('.');
    String file = name.substring(name.lastIndexOf('/') + 1);
    return dot >= 0
        && !file.startsWith(".")
        && ENDINGS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  static BufferedImage decode(String name, byte[] file) {
    BufferedImage image;
    try {
      image = ImageIO.read(new ByteArrayInputStream(file));
    } catch (IOException | RuntimeException e) {
      // The decoders of the JDK also throw IllegalArgumentException and the like on broken files.
      throw new DataException("%s: cannot be decoded: %s.".formatted(name, reason(e)), e);
    }
    if (image == null) {
      throw new DataException(
          name
              + ": not an image that can be read here; expected JPEG, PNG or WebP (WebP comes with"
              + " the module alfamix-torch).");
    }
    return image;
  }

  private static String reason(Exception e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.lines().findFirst().orElse("").replaceAll("[.!]+$", "");
  }

  /** Red, green and blue planes of a size, a byte per value; what is transparent is ignored. */
  static byte[] planes(BufferedImage image, int height, int width) {
    float[][] planes = channels(image);
    byte[] result = new byte[3 * height * width];
    for (int c = 0; c < 3; c++) {
      float[] plane =
          c > 0 && planes[c] == planes[0]
              ? null
              : Resampling.resize(planes[c], image.getHeight(), image.getWidth(), height, width);
      for (int i = 0; i < height * width; i++) {
        result[c * height * width + i] =
            plane == null ? result[i] : (byte) Math.max(0, Math.min(255, Math.round(plane[i])));
      }
    }
    return result;
  }

  /** The three planes as floats from 0 to 255; a grey image has one, three times. */
  private static float[][] channels(BufferedImage image) {
    int height = image.getHeight();
    int width = image.getWidth();
    Raster raster = image.getRaster();
    boolean palette = image.getColorModel() instanceof IndexColorModel;
    if (!palette && raster.getNumBands() <= 2) {
      // Asked for colours, Java would take grey values for linear light and brighten them.
      float[] grey = new float[height * width];
      raster.getSamples(0, 0, width, height, 0, grey);
      float most = (1 << raster.getSampleModel().getSampleSize(0)) - 1;
      for (int i = 0; most != 255 && i < grey.length; i++) {
        grey[i] *= 255 / most;
      }
      return new float[][] {grey, grey, grey};
    }
    float[][] planes = new float[3][height * width];
    int[] row = new int[width];
    for (int y = 0; y < height; y++) {
      image.getRGB(0, y, width, 1, row, 0, width);
      for (int x = 0; x < width; x++) {
        planes[0][y * width + x] = (row[x] >> 16) & 0xff;
        planes[1][y * width + x] = (row[x] >> 8) & 0xff;
        planes[2][y * width + x] = row[x] & 0xff;
      }
    }
    return planes;
  }
}
