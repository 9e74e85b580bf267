package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.random.RandomGenerator;
import org.alfamix.datasets.video.ClipSampling;
import org.alfamix.datasets.video.Video;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.io.DataException;

/**
 * Clips of video files that are decoded on demand, in the calling thread. The most recently used
 * clips are cached as bytes of their final size, up to a memory limit.
 *
 * <p>A clip is scaled by its shorter side and cropped: at the centre for testing, at random for
 * training, where the start, the scale (8/7 to 10/7 of the side, such as 256 to 320 for 224) and
 * mirroring are also random. These are the customary transformations of video networks (H. Fan et
 * al., "PySlowFast", 2020). Evenly spaced frames are resized without cropping instead, like images.
 */
final class VideoInputs implements PixelInputs {
  private static final double MIN_SCALE = 8.0 / 7;
  private static final double MAX_SCALE = 10.0 / 7;

  /** The maximum aspect ratio; longer frames are squeezed. */
  private static final int MAX_ASPECT_RATIO = 16;

  private static final int UNKNOWN = 0;

  private static volatile VideoEngine engine;

  private final Path folder;
  private final List<String> names;
  private final ClipOptions options;
  private final long memory;
  private final InputShape shape;
  private final RecentBytes cache;

  /** Number of frames of each video, or {@link #UNKNOWN}; shared by all views of the videos. */
  private final AtomicIntegerArray counts;

  /**
   * @param names the relative paths of the videos
   * @param memory maximum number of bytes of decoded clips to keep
   */
  VideoInputs(Path folder, List<String> names, ClipOptions options, long memory) {
    this(folder, List.copyOf(names), options, memory, new AtomicIntegerArray(names.size()));
  }

  private VideoInputs(
      Path folder,
      List<String> names,
      ClipOptions options,
      long memory,
      AtomicIntegerArray counts) {
    this.folder = folder;
    this.names = names;
    this.options = options;
    this.memory = memory;
    this.counts = counts;
    this.shape = options.shape();
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
  public Inputs withClips(ClipOptions other) {
    return other.equals(options) ? this : new VideoInputs(folder, names, other, memory, counts);
  }

  @Override
  public void readBytes(int item, byte[] target, int offset) {
    byte[] pixels = pixels(item);
    System.arraycopy(pixels, 0, target, offset, pixels.length);
  }

  /** Not synchronized: two threads may decode the same video. */
  private byte[] pixels(int item) {
    byte[] cached = cache.get(item);
    if (cached != null) {
      return cached;
    }
    byte[] pixels = new byte[shape.length()];
    try (Video video = open(item)) {
      int total = video.frames();
      if (options.isEven()) {
        int[] frames = ClipSampling.even(total, options.frames());
        decode(video, frames, new Crop(options.side(), options.side(), 0, 0, false), pixels, 0);
      } else {
        Crop centre = Crop.of(video, options.side(), options.side(), 0.5, 0.5, false);
        decode(video, options.sampling().centred(total), centre, pixels, 0);
      }
    }
    cache.put(item, pixels);
    return pixels;
  }

  @Override
  public boolean hasRandomViews() {
    return !options.isEven();
  }

  @Override
  public void readRandomView(int item, RandomGenerator random, byte[] target, int offset) {
    try (Video video = open(item)) {
      int[] frames = options.sampling().random(video.frames(), random);
      double scale = MIN_SCALE + (MAX_SCALE - MIN_SCALE) * random.nextDouble();
      int shorter = (int) Math.round(scale * options.side());
      Crop crop =
          Crop.of(
              video,
              shorter,
              options.side(),
              random.nextDouble(),
              random.nextDouble(),
              random.nextBoolean());
      decode(video, frames, crop, target, offset);
    }
  }

  /**
   * A square crop of a scaled frame.
   *
   * @param width width of the scaled frame
   * @param height height of the scaled frame
   * @param left x coordinate of the left edge
   * @param top y coordinate of the top edge
   * @param mirrored whether left and right are swapped
   */
  private record Crop(int width, int height, int left, int top, boolean mirrored) {

    /**
     * @param shorter length of the shorter side of the scaled frame
     * @param side side length of the crop
     * @param x horizontal position of the crop, from 0 (left) to 1 (right)
     * @param y vertical position of the crop, from 0 (top) to 1 (bottom)
     */
    static Crop of(Video video, int shorter, int side, double x, double y, boolean mirrored) {
      double factor = (double) shorter / Math.min(video.width(), video.height());
      int width = length(video.width(), factor, shorter);
      int height = length(video.height(), factor, shorter);
      return new Crop(
          width,
          height,
          (int) Math.round(x * (width - side)),
          (int) Math.round(y * (height - side)),
          mirrored);
    }

    private static int length(int original, double factor, int shorter) {
      long scaled = Math.round(original * factor);
      return (int) Math.max(shorter, Math.min(scaled, (long) MAX_ASPECT_RATIO * shorter));
    }
  }

  /** Writes frames channel by channel: red of all frames, then green, then blue. */
  private void decode(Video video, int[] frames, Crop crop, byte[] target, int offset) {
    int side = options.side();
    int channel = shape.channelLength();
    video.read(
        frames,
        crop.width(),
        crop.height(),
        (position, rgb) -> {
          int at = offset + position * side * side;
          for (int y = 0; y < side; y++) {
            int row = 3 * ((crop.top() + y) * crop.width() + crop.left());
            for (int x = 0; x < side; x++, at++) {
              int from = row + 3 * (crop.mirrored() ? side - 1 - x : x);
              target[at] = rgb[from];
              target[at + channel] = rgb[from + 1];
              target[at + 2 * channel] = rgb[from + 2];
            }
          }
        });
  }

  /** Returns the engine, which is looked up only once because it may have to be built. */
  private static VideoEngine engine() {
    if (engine == null) {
      synchronized (VideoInputs.class) {
        if (engine == null) {
          engine = VideoEngine.find();
        }
      }
    }
    return engine;
  }

  private Video open(int item) {
    Path file = path(item);
    int frames = counts.get(item);
    if (frames != UNKNOWN) {
      return engine().open(file, frames);
    }
    Video video = engine().open(file);
    counts.set(item, video.frames());
    return video;
  }

  private Path path(int item) {
    return folder.resolve(names.get(item));
  }

  @Override
  public Optional<Path> file(int item) {
    return Optional.of(path(item));
  }

  /** Digests the file, which avoids decoding it. */
  @Override
  public void digest(int item, MessageDigest digest) {
    try (InputStream in = Files.newInputStream(path(item))) {
      byte[] block = new byte[1 << 16];
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
    } catch (IOException e) {
      throw DataException.unreadable(path(item), e);
    }
  }

  @Override
  public String id(int item) {
    return names.get(item);
  }

  @Override
  public String describe(int item) {
    return path(item).toString();
  }
}
