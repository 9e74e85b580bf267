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
 * What the bytes of an image file say of themselves, whatever the file is called.
 *
 * @param type as browsers call it, as {@code image/png}
 */
public record ImageFile(String type, int width, int height) {

  /**
   * Reads the header alone.
   *
   * @param name for messages
   * @param mostPixels what is larger is refused: a header is soon written, but what it promises
   *     would have to be held in memory
   * @throws DataException where these are not the bytes of an image that can be read
   */
  public static ImageFile of(String name, byte[] bytes, long mostPixels) {
    return of(name, new ByteArrayInputStream(bytes), mostPixels);
  }

  /** The same of a stream, of which no more is read than must be; it is left open. */
  static ImageFile of(String name, InputStream stream, long mostPixels) {
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
        if ((long) width * height > mostPixels) {
          throw new DataException(
              "%s: %d x %d pixels, expected at most %,d in all."
                  .formatted(name, width, height, mostPixels));
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
      // The decoders of the JDK throw what they like on broken files.
      throw new DataException(name + ": its header cannot be read.", e);
    }
  }

  /**
   * Decodes a file as people see it: turned upright, where the camera was not. Whoever is not sure
   * of a file asks for its size first.
   */
  public static BufferedImage decodeUpright(String name, byte[] bytes) {
    return Orientation.upright(Images.decode(name, bytes), Orientation.of(bytes));
  }
}
