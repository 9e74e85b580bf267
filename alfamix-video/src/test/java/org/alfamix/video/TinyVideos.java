package org.alfamix.video;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import javax.imageio.ImageIO;

/** Writes small AVI files (Motion JPEG) of a moving bar, without any library. */
public final class TinyVideos {
  private static final int FRAMES_PER_SECOND = 10;

  private TinyVideos() {}

  /** Writes a video of 48 x 36 pixels; the bar crosses the frame once in 20 frames. */
  public static Path avi(Path file, int frames, Color colour) throws IOException {
    return avi(file, 48, 36, frames, colour);
  }

  public static Path avi(Path file, int width, int height, int frames, Color colour)
      throws IOException {
    return avi(
        file,
        width,
        height,
        frames,
        (graphics, frame) -> {
          graphics.setColor(colour);
          graphics.fillRect(0, 0, width, height);
          graphics.setColor(Color.WHITE);
          graphics.fillRect(frame % 20 * width / 20, 0, width / 8, height);
        });
  }

  /**
   * Writes a video with arbitrary frames.
   *
   * @param painter draws the frame of a given number
   */
  public static Path avi(
      Path file, int width, int height, int frames, BiConsumer<Graphics2D, Integer> painter)
      throws IOException {
    List<byte[]> pictures = new ArrayList<>();
    for (int f = 0; f < frames; f++) {
      BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = image.createGraphics();
      painter.accept(graphics, f);
      graphics.dispose();
      ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
      ImageIO.write(image, "jpg", jpeg);
      pictures.add(jpeg.toByteArray());
    }
    Files.createDirectories(file.toAbsolutePath().getParent());
    return Files.write(file, riff(width, height, pictures));
  }

  private static byte[] riff(int width, int height, List<byte[]> pictures) throws IOException {
    byte[] main =
        words(
            1_000_000 / FRAMES_PER_SECOND,
            0,
            0,
            0,
            pictures.size(),
            0,
            1,
            1 << 16,
            width,
            height,
            0,
            0,
            0,
            0);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.write("vidsMJPG".getBytes(StandardCharsets.US_ASCII));
    stream.write(words(0, 0, 0, 1, FRAMES_PER_SECOND, 0, pictures.size(), 1 << 16, -1, 0, 0, 0));
    ByteArrayOutputStream format = new ByteArrayOutputStream();
    format.write(words(40, width, height, 24 << 16 | 1));
    format.write("MJPG".getBytes(StandardCharsets.US_ASCII));
    format.write(words(3 * width * height, 0, 0, 0, 0));
    byte[] streams =
        list("strl", chunk("strh", stream.toByteArray()), chunk("strf", format.toByteArray()));
    byte[][] frames =
        pictures.stream().map(picture -> chunk("00dc", picture)).toArray(byte[][]::new);
    byte[] body = joined(list("hdrl", chunk("avih", main), streams), list("movi", frames));
    return chunk("RIFF", joined("AVI ".getBytes(StandardCharsets.US_ASCII), body));
  }

  private static byte[] words(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      buffer.putInt(value);
    }
    return buffer.array();
  }

  private static byte[] list(String kind, byte[]... chunks) {
    return chunk("LIST", joined(kind.getBytes(StandardCharsets.US_ASCII), joined(chunks)));
  }

  /** Returns a chunk: its name, length and content, padded to an even length. */
  private static byte[] chunk(String name, byte[] content) {
    return joined(
        name.getBytes(StandardCharsets.US_ASCII),
        words(content.length),
        content,
        new byte[content.length % 2]);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
