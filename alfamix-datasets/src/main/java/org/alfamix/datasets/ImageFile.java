package org.alfamix.datasets;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import java.util.Locale;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.alfamix.io.DataException;

/**
 * The type and size of an image, according to the bytes of the file rather than its name.
 *
 * @param type the MIME type, such as {@code image/png}
 * @param width width in pixels
 * @param height height in pixels
 */
public record ImageFile(String type, int width, int height) {

  /**
   * Reads only the header.
   *
   * @param name the name of the file, for messages
   * @param maxPixels maximum number of pixels: a small file may declare a size that does not fit
   *     into memory
   * @throws DataException if the bytes are not a readable image, or it is too large
   */
  public static ImageFile of(String name, byte[] bytes, long maxPixels) {
    return of(name, new ByteArrayInputStream(bytes), maxPixels);
  }

  /** Reads only the header from a stream, which is left open. */
  static ImageFile of(String name, InputStream stream, long maxPixels) {
    try (ImageInputStream in = new MemoryCacheImageInputStream(stream)) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        throw new DataException(name + ": not an image; expected JPEG, PNG or WebP.");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        int width = reader.getWidth(0);
        int height = reader.getHeight(0);
        if ((long) width * height > maxPixels) {
          throw new DataException(
              "%s: %d x %d pixels, expected at most %,d pixels in total."
                  .formatted(name, width, height, maxPixels));
        }
        String format = reader.getFormatName().toLowerCase(Locale.ROOT);
        return new ImageFile("image/" + format.replace("jpg", "jpeg"), width, height);
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof DataException known) {
        throw known;
      }
      // The decoders of the JDK throw various exceptions on corrupt files.
      throw new DataException(name + ": the header cannot be read.", e);
    }
  }

  /**
   * Decodes an image and rotates it upright according to its Exif orientation. For untrusted files,
   * check the size first.
   */
  public static BufferedImage decodeUpright(String name, byte[] bytes) {
    return Orientation.upright(Images.decode(name, bytes), Orientation.of(bytes));
  }
}
