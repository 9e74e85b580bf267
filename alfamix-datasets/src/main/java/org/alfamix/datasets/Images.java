package org.alfamix.datasets;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.alfamix.io.DataException;

/** Decodes image files and converts them to planes of bytes. */
final class Images {
  private static final Set<String> EXTENSIONS = Set.of("jpg", "jpeg", "png", "webp", "bmp", "gif");

  /** A limit, because a small file may declare a size that does not fit into memory. */
  private static final long MAX_PIXELS = 200_000_000;

  static {
    // Creating a temporary file per image would take longer than decoding the image.
    ImageIO.setUseCache(false);
  }

  private Images() {}

  /** Returns whether the name is that of an image in a supported format. */
  static boolean isImage(String name) {
    int dot = name.lastIndexOf('.');
    String file = name.substring(name.lastIndexOf('/') + 1);
    return dot >= 0
        && !file.startsWith(".")
        && EXTENSIONS.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  static BufferedImage decode(String name, byte[] file) {
    BufferedImage image;
    List<String> warnings = new ArrayList<>();
    try {
      image = read(file, warnings);
    } catch (IOException | RuntimeException e) {
      // The decoders of the JDK also throw IllegalArgumentException and others on corrupt files.
      throw new DataException("%s: cannot be decoded: %s.".formatted(name, reason(e)), e);
    }
    if (image == null) {
      throw new DataException(
          name
              + ": not a readable image; expected JPEG, PNG or WebP"
              + (ImageIO.getImageReadersBySuffix("webp").hasNext()
                  ? "."
                  : " (WebP requires the module alfamix-torch)."));
    }
    // The decoder fills missing parts with grey and only reports a warning.
    for (String warning : warnings) {
      if (warning.matches("(?i).*(truncated|premature).*")) {
        throw new DataException(name + ": the file is truncated: " + warning + ".");
      }
    }
    return image;
  }

  private static BufferedImage read(byte[] file, List<String> warnings) throws IOException {
    try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(file))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return null;
      }
      ImageReader reader = readers.next();
      try {
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        reader.setInput(in, true, true);
        long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
        if (pixels > MAX_PIXELS) {
          throw new IOException(
              "%d x %d pixels exceed the limit of %,d pixels"
                  .formatted(reader.getWidth(0), reader.getHeight(0), MAX_PIXELS));
        }
        return reader.read(0);
      } finally {
        reader.dispose();
      }
    }
  }

  private static String reason(Exception e) {
    String text =
        e instanceof EOFException
            ? "unexpected end of file"
            : e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return text.lines().findFirst().orElse("").replaceAll("[.!]+$", "");
  }

  /** Returns red, green and blue planes of the given size as bytes; transparency is ignored. */
  static byte[] planes(BufferedImage image, int height, int width) {
    float[][] planes = channels(image);
    byte[] result = new byte[3 * height * width];
    int area = height * width;
    for (int c = 0; c < 3; c++) {
      if (c > 0 && planes[c] == planes[0]) {
        System.arraycopy(result, 0, result, c * area, area);
      } else {
        Resampling.toBytes(
            Resampling.resize(planes[c], image.getHeight(), image.getWidth(), height, width),
            result,
            c * area);
      }
    }
    return result;
  }

  /** Converts CMYK by multiplying the inks; Java's own conversion lacks a colour profile. */
  private static float[][] fromCmyk(Raster raster, int height, int width) {
    float[][] inks = new float[4][height * width];
    for (int band = 0; band < 4; band++) {
      raster.getSamples(0, 0, width, height, band, inks[band]);
    }
    float[][] planes = new float[3][height * width];
    for (int i = 0; i < height * width; i++) {
      for (int c = 0; c < 3; c++) {
        planes[c][i] = (255 - inks[c][i]) * (255 - inks[3][i]) / 255;
      }
    }
    return planes;
  }

  /** Returns three planes of floats from 0 to 255; those of a grey image are the same array. */
  private static float[][] channels(BufferedImage image) {
    int height = image.getHeight();
    int width = image.getWidth();
    Raster raster = image.getRaster();
    boolean palette = image.getColorModel() instanceof IndexColorModel;
    if (!palette && raster.getNumBands() <= 2) {
      // Java's conversion to RGB would treat grey values as linear light and brighten them.
      float[] grey = new float[height * width];
      raster.getSamples(0, 0, width, height, 0, grey);
      float max = (1 << raster.getSampleModel().getSampleSize(0)) - 1;
      for (int i = 0; max != 255 && i < grey.length; i++) {
        grey[i] *= 255 / max;
      }
      return new float[][] {grey, grey, grey};
    }
    if (image.getColorModel().getColorSpace().getType() == ColorSpace.TYPE_CMYK) {
      return fromCmyk(raster, height, width);
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
