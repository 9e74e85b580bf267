package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.List;
import org.alfamix.io.DataException;

/**
 * Images that are decoded when they are asked for, by whichever thread asks. Those asked for last
 * are kept, as bytes of the final size, within a bound of memory.
 */
final class ImageInputs implements PixelInputs {

  /** Where the bytes of an image file come from. */
  interface Source {
    int MOST_BYTES = 256 << 20;

    InputStream open(String name) throws IOException;

    /** The whole file, where it is not larger than any photo is. */
    default byte[] bytes(String name) throws IOException {
      try (InputStream in = open(name)) {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
          throw new IOException("it has more than %d MB".formatted(MOST_BYTES >> 20));
        }
        return bytes;
      }
    }
  }

  private final Source source;
  private final List<String> names;
  private final String origin;
  private final InputShape shape;
  private final RecentBytes cache;

  /**
   * @param origin the folder or archive, for messages
   * @param names the images within
   * @param memory how many bytes of decoded images may be kept
   */
  ImageInputs(
      Source source, String origin, List<String> names, int height, int width, long memory) {
    this.source = source;
    this.origin = origin;
    this.names = List.copyOf(names);
    this.shape = InputShape.image(3, height, width);
    this.cache = new RecentBytes(memory, shape.length());
  }

  @Override
  public int size() {
    return names.size();
  }

  @Override
  public InputShape shape() {
    return shape;
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    byte[] pixels = pixels(item);
    System.arraycopy(pixels, 0, target, offset, pixels.length);
  }

  /** Two threads may decode the same image. */
  private byte[] pixels(int item) {
    byte[] known = cache.get(item);
    if (known != null) {
      return known;
    }
    byte[] pixels =
        Images.planes(Images.decode(describe(item), content(item)), shape.height(), shape.width());
    cache.put(item, pixels);
    return pixels;
  }

  private byte[] content(int item) {
    try {
      return source.bytes(names.get(item));
    } catch (IOException e) {
      throw new DataException(
          "%s: cannot be read: %s.".formatted(describe(item), e.getMessage()), e);
    }
  }

  /** By its file, which need not be decoded for it. */
  @Override
  public void digest(int item, MessageDigest digest) {
    digest.update(content(item));
  }

  /** How many decoded images are kept now. */
  int cached() {
    return cache.size();
  }

  @Override
  public String id(int item) {
    return names.get(item);
  }

  @Override
  public String describe(int item) {
    return origin + "/" + names.get(item);
  }
}
