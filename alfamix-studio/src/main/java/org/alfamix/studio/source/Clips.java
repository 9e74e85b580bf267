package org.alfamix.studio.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.imageio.ImageIO;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.video.Video;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;

/** Video files in the browser: as clips that play and as still pictures. */
final class Clips {
  /** The frames of a clip for a model without a backbone. */
  static final ClipOptions PIXELS = ClipOptions.even(4, 32);

  private static final Set<String> MP4 = Set.of("mp4", "m4v", "mov");
  private static final Set<String> IN_MP4 = Set.of("h264 yuv420p", "h264 yuvj420p", "av1 yuv420p");
  private static final Set<String> IN_WEBM = Set.of("vp8 yuv420p", "vp9 yuv420p", "av1 yuv420p");
  private static final int MAX_SIDE = 640;

  /** A lock for each converted file, so that simultaneous requests convert it once. */
  private static final Map<Path, Object> CONVERTING = new ConcurrentHashMap<>();

  private final Path converted;

  Clips(Path dataFolder) {
    this.converted = dataFolder.resolve("converted");
  }

  /**
   * Checks that a file is a video.
   *
   * @throws DataException if it is not; the message names the file and the reason
   */
  static void check(Path file) {
    try (Video video = VideoEngine.find().open(file, 1)) {
      video.read(new int[] {0}, 1, 1, (position, rgb) -> {});
    }
  }

  /**
   * Returns a file in a format that browsers play: the file itself or a converted copy, which is
   * stored.
   */
  DisplayedItem.Clip show(Path file) {
    String ending = ending(file);
    String encoding;
    try (Video video = VideoEngine.find().open(file, 1)) {
      encoding = video.encoding();
    }
    if (MP4.contains(ending) && IN_MP4.contains(encoding)) {
      return new DisplayedItem.Clip(file, "video/mp4");
    }
    if (ending.equals("webm") && IN_WEBM.contains(encoding)) {
      return new DisplayedItem.Clip(file, "video/webm");
    }
    return new DisplayedItem.Clip(converted(file), "video/webm");
  }

  static String ending(Path file) {
    String name = file.getFileName().toString();
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  private Path converted(Path file) {
    try {
      String key =
          "%s\n%d\n%s"
              .formatted(file.toRealPath(), Files.size(file), Files.getLastModifiedTime(file));
      String hash = HexFormat.of().formatHex(Digest.newSha256().digest(key.getBytes(UTF_8)));
      Path target = converted.resolve(hash + ".webm");
      synchronized (CONVERTING.computeIfAbsent(target, path -> new Object())) {
        if (!Files.exists(target)) {
          Files.createDirectories(converted);
          Path temporary = Files.createTempFile(converted, ".converting-", ".webm");
          try {
            VideoEngine.find().convertToWebm(file, temporary);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
          } finally {
            Files.deleteIfExists(temporary);
          }
        }
      }
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the frame in the middle of a video. */
  static DisplayedItem.Picture poster(Path file) {
    try (Video video = VideoEngine.find().open(file)) {
      double factor = Math.min(1, (double) MAX_SIDE / Math.max(video.width(), video.height()));
      int width = (int) Math.max(1, Math.round(factor * video.width()));
      int height = (int) Math.max(1, Math.round(factor * video.height()));
      BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      video.read(
          new int[] {video.frames() / 2},
          width,
          height,
          (position, rgb) -> {
            for (int i = 0; i < width * height; i++) {
              int colour =
                  (rgb[3 * i] & 0xff) << 16 | (rgb[3 * i + 1] & 0xff) << 8 | rgb[3 * i + 2] & 0xff;
              image.setRGB(i % width, i / width, colour);
            }
          });
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(image, "jpg", bytes);
      return new DisplayedItem.Picture(bytes.toByteArray(), "image/jpeg");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
