package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.List;
import org.alfamix.io.DataException;

/**
 * Images that are decoded on demand, in the calling thread. The most recently used images are
 * cached as bytes of the final size, up to a memory limit.
 */
final class ImageInputs implements PixelInputs {

  /** Provides the bytes of image files. */
  interface Source {
    int MAX_BYTES = 256 << 20;

    InputStream open(String name) throws IOException;

    /** Reads a whole file, which must not be larger than any photo. */
    default byte[] bytes(String name) throws IOException {
      try (InputStream in = open(name)) {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
          throw new IOException("the file is larger than %d MB".formatted(MAX_BYTES >> 20));
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
   * @param names the relative paths of the images
   * @param memory maximum number of bytes of decoded images to keep
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

  /** Not synchronized: two threads may decode the same image. */
  private byte[] pixels(int item) {
    byte[] cachedPixels = cache.get(item);
    if (cachedPixels != null) {
      return cachedPixels;
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

  /** Digests the file, which avoids decoding it. */
  @Override
  public void digest(int item, MessageDigest digest) {
    digest.update(content(item));
  }

  /** Returns the number of decoded images in the cache. */
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
