package org.alfamix.studio.web;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.imageio.ImageIO;
import org.alfamix.datasets.ImageFile;
import org.alfamix.studio.source.DisplayedItem;

/** Creates thumbnails; the most recent are cached, and only a few are created at a time. */
final class Thumbnails {
  private static final int SMALL_FILE = 64 << 10;
  private static final long KEPT_BYTES = 64 << 20;
  private static final int AT_A_TIME = 2;
  private static final long MAX_PIXELS = 100_000_000;

  private final Semaphore working = new Semaphore(AT_A_TIME);
  private final Map<String, DisplayedItem.Picture> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, DisplayedItem.Picture> eldest) {
          boolean full = bytes > KEPT_BYTES;
          bytes -= full ? eldest.getValue().bytes().length : 0;
          return full;
        }
      };
  private long bytes;

  /**
   * Returns a picture of at most the given size; small pictures are returned unchanged.
   *
   * @param key the cache key
   */
  DisplayedItem.Picture of(String key, DisplayedItem.Picture picture, int side) {
    ImageFile header = ImageFile.of(key, picture.bytes(), MAX_PIXELS);
    if (picture.bytes().length <= SMALL_FILE
        && Math.max(header.width(), header.height()) <= 2 * side) {
      return picture;
    }
    return of(key, side, () -> picture);
  }

  /**
   * Returns a picture of at most the given size; the original is only loaded if it is not cached.
   *
   * @param key the cache key
   */
  DisplayedItem.Picture of(String key, int side, Supplier<DisplayedItem.Picture> picture) {
    synchronized (kept) {
      DisplayedItem.Picture found = kept.get(key + "/" + side);
      if (found != null) {
        return found;
      }
    }
    DisplayedItem.Picture made = make(key, picture, side);
    synchronized (kept) {
      if (kept.put(key + "/" + side, made) == null) {
        bytes += made.bytes().length;
      }
    }
    return made;
  }

  private DisplayedItem.Picture make(
      String key, Supplier<DisplayedItem.Picture> picture, int side) {
    working.acquireUninterruptibly();
    try {
      BufferedImage image = ImageFile.decodeUpright(key, picture.get().bytes());
      double factor = Math.min(1, side / (double) Math.max(image.getWidth(), image.getHeight()));
      int width = Math.max(1, (int) Math.round(factor * image.getWidth()));
      int height = Math.max(1, (int) Math.round(factor * image.getHeight()));
      BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = small.createGraphics();
      graphics.setRenderingHint(
          RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
      graphics.drawImage(image, 0, 0, width, height, null);
      graphics.dispose();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(small, "jpg", bytes);
      return new DisplayedItem.Picture(bytes.toByteArray(), "image/jpeg");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      working.release();
    }
  }
}
