package org.alfamix.video;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.VideoFolder;
import org.alfamix.datasets.video.Video;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.io.DataException;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads clips of generated videos: a white bar moves to the right over a single colour. */
class ClipReadingTest {
  private static final VideoEngine ENGINE = VideoEngine.find();

  @TempDir private Path folder;

  private Inputs inputs(ClipOptions options, long memory, String... names) {
    return VideoFolder.open(folder, folder.resolve("unpacked"))
        .inputs(List.of(names), options, memory);
  }

  /** Returns the colour of a pixel: red, green, blue. */
  private static int[] pixel(byte[] clip, InputShape shape, int frame, int y, int x) {
    int[] rgb = new int[3];
    for (int c = 0; c < 3; c++) {
      int at = c * shape.channelLength() + (frame * shape.height() + y) * shape.width() + x;
      rgb[c] = clip[at] & 0xff;
    }
    return rgb;
  }

  private static byte[] read(Inputs inputs, int item) {
    byte[] clip = new byte[inputs.shape().length()];
    inputs.readBytes(item, clip, 0);
    return clip;
  }

  /** Returns the position of the bar: the mean column of the middle row, weighted by green. */
  private static double bar(byte[] clip, InputShape shape, int frame) {
    double sum = 0;
    double weights = 0;
    for (int x = 0; x < shape.width(); x++) {
      int green = pixel(clip, shape, frame, shape.height() / 2, x)[1];
      double weight = green > 128 ? green : 0;
      sum += weight * x;
      weights += weight;
    }
    return sum / weights;
  }

  @Test
  void readsFramesInOrderWithTheirColours() throws IOException {
    TinyVideos.avi(folder.resolve("red.avi"), 15, new Color(200, 10, 10));
    Inputs inputs = inputs(ClipOptions.even(15, 40), 1 << 20, "red.avi");
    assertEquals(InputShape.video(15, 40, 40), inputs.shape());
    assertEquals("15 frames of 3 x 40 x 40 pixels", inputs.shape().toString());
    byte[] clip = read(inputs, 0);
    double last = -1;
    for (int f = 0; f < 15; f++) {
      double bar = bar(clip, inputs.shape(), f);
      assertTrue(bar > last, "frame %d: the bar is at %.1f, after %.1f".formatted(f, bar, last));
      last = bar;
    }
    int[] rgb = pixel(clip, inputs.shape(), 0, 20, 35);
    assertTrue(rgb[0] > 180 && rgb[1] < 40 && rgb[2] < 40, Arrays.toString(rgb));
    float[] floats = new float[clip.length];
    inputs.read(0, floats, 0);
    assertEquals(clip[1000] & 0xff, floats[1000]);
  }

  @Test
  void readsTheMiddleClipForTesting() throws IOException {
    Path file = TinyVideos.avi(folder.resolve("a.avi"), 40, Color.BLUE.darker());
    Inputs inputs = inputs(new ClipOptions(4, 3, 36), 1 << 20, "a.avi");
    byte[] clip = read(inputs, 0);
    // 40 frames minus a span of 10: the clip starts at frame 15. 6 of 48 columns are cropped on
    // each side.
    try (Video video = ENGINE.open(file)) {
      video.read(
          new int[] {15, 18, 21, 24},
          (frame, rgb) -> {
            for (int y = 0; y < 36; y++) {
              for (int x = 0; x < 36; x++) {
                int at = 3 * (48 * y + 6 + x);
                int[] expected = {rgb[at] & 0xff, rgb[at + 1] & 0xff, rgb[at + 2] & 0xff};
                assertArrayEquals(expected, pixel(clip, inputs.shape(), frame, y, x));
              }
            }
          });
    }
  }

  @Test
  void readsRandomViewsDeterminedByTheGenerator() throws IOException {
    TinyVideos.avi(folder.resolve("a.avi"), 40, Color.RED.darker());
    Inputs inputs = inputs(new ClipOptions(4, 2, 32), 1 << 20, "a.avi");
    assertTrue(inputs.hasRandomViews());
    assertFalse(inputs.withClips(ClipOptions.even(4, 32)).hasRandomViews());
    byte[] one = new byte[inputs.shape().length()];
    byte[] same = new byte[inputs.shape().length()];
    byte[] other = new byte[inputs.shape().length()];
    inputs.readRandomView(0, new SplittableRandom(1), one, 0);
    inputs.readRandomView(0, new SplittableRandom(1), same, 0);
    inputs.readRandomView(0, new SplittableRandom(2), other, 0);
    assertArrayEquals(one, same);
    assertFalse(Arrays.equals(one, other));
  }

  @Test
  void readsEvenlySpacedFramesOfShortVideos() throws IOException {
    TinyVideos.avi(folder.resolve("short.avi"), 36, 36, 3, new Color(90, 10, 10));
    Inputs inputs = inputs(new ClipOptions(8, 2, 32), 1 << 20, "short.avi");
    byte[] clip = read(inputs, 0);
    assertEquals(8 * 3 * 32 * 32, clip.length);
    assertTrue(bar(clip, inputs.shape(), 7) > bar(clip, inputs.shape(), 0));
    byte[] view = new byte[clip.length];
    inputs.readRandomView(0, new SplittableRandom(1), view, 0);
  }

  @Test
  void readsFromAllThreadsWithinAMemoryLimit() throws IOException {
    for (int i = 0; i < 12; i++) {
      TinyVideos.avi(folder.resolve(i + ".avi"), 10 + i, new Color(20 * i, 0, 90));
    }
    String[] names = new String[12];
    Arrays.setAll(names, i -> i + ".avi");
    Inputs inputs = inputs(ClipOptions.even(4, 32), 3L * 4 * 3 * 32 * 32, names);
    byte[][] expected = new byte[12][];
    Arrays.setAll(expected, i -> read(inputs, i));
    Parallel.forBlocks(
        120,
        1,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            assertArrayEquals(expected[i % 12], read(inputs, i % 12));
          }
        });
  }

  @Test
  void splitsAFolderPerClassBySource() throws IOException {
    for (String name : List.of("run", "walk")) {
      for (int source = 0; source < 10; source++) {
        for (int clip = 0; clip < 3; clip++) {
          Path file = folder.resolve("data/%s/film%d_np1_%d.avi".formatted(name, source, clip));
          TinyVideos.avi(file, 4, Color.GRAY);
        }
      }
    }
    Files.writeString(folder.resolve("data/notes.txt"), "not a video");
    Path data = folder.resolve("data");
    assertTrue(VideoFolder.containsVideos(data));
    Dataset dataset =
        VideoFolder.open(data, folder)
            .read("data", Optional.empty())
            .withClips(ClipOptions.even(2, 16));
    assertEquals(List.of("run", "walk"), dataset.classNames());
    assertEquals(48, dataset.pool().size());
    assertEquals(12, dataset.test().size());
    List<String> sources =
        java.util.stream.IntStream.range(0, 12)
            .mapToObj(i -> dataset.test().inputs().id(i).replaceAll("_\\d\\.avi", ""))
            .distinct()
            .toList();
    assertEquals(4, sources.size(), "sources are not split");
    for (int i = 0; i < dataset.pool().size(); i++) {
      String source = dataset.pool().inputs().id(i).replaceAll("_\\d\\.avi", "");
      assertFalse(sources.contains(source), source);
    }
    float[] values = new float[dataset.shape().length()];
    dataset.test().inputs().read(0, values, 0);
  }

  @Test
  void unpacksAZipOnce() throws IOException {
    Path zip = folder.resolve("clips.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (String name : List.of("a/1.avi", "a/2.avi", "b/1.avi", "b/2.avi", "__MACOSX/._1.avi")) {
        Path file = TinyVideos.avi(folder.resolve("one.avi"), 3, Color.RED);
        out.putNextEntry(new ZipEntry(name));
        Files.copy(file, out);
      }
    }
    Path unpacked = folder.resolve("unpacked");
    VideoFolder first = VideoFolder.open(zip, unpacked);
    assertEquals(List.of("a/1.avi", "a/2.avi", "b/1.avi", "b/2.avi"), first.names());
    assertEquals(first.folder(), VideoFolder.open(zip, unpacked).folder());
    try (var folders = Files.list(unpacked)) {
      assertEquals(1, folders.count());
    }
  }

  @Test
  void rejectsAZipWithPathsOutsideItsFolder() throws IOException {
    Path zip = folder.resolve("evil.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("../../evil.avi"));
      out.write(1);
    }
    Path unpacked = folder.resolve("unpacked");
    String message =
        assertThrows(DataException.class, () -> VideoFolder.open(zip, unpacked)).getMessage();
    assertTrue(message.contains("is outside the target folder"), message);
    assertFalse(Files.exists(folder.resolve("evil.avi")));
    try (var folders = Files.list(unpacked)) {
      assertEquals(0, folders.count(), "no files remain");
    }
  }

  @Test
  void namesInvalidVideos() throws IOException {
    Path broken = Files.writeString(folder.resolve("broken.mp4"), "no video");
    Inputs inputs = inputs(ClipOptions.even(2, 16), 1 << 20, "broken.mp4");
    String message = assertThrows(DataException.class, () -> read(inputs, 0)).getMessage();
    assertTrue(message.startsWith(broken.toString()), message);
    Inputs missing = inputs(ClipOptions.even(2, 16), 1 << 20, "missing.mp4");
    assertThrows(DataException.class, () -> read(missing, 0));
  }

  @Test
  void rejectsVideosAndImagesInOneFolder() throws IOException {
    TinyVideos.avi(folder.resolve("mixed/a/1.avi"), 3, Color.RED);
    Files.write(folder.resolve("mixed/a/1.jpg"), new byte[10]);
    String message =
        assertThrows(DataException.class, () -> VideoFolder.containsVideos(folder.resolve("mixed")))
            .getMessage();
    assertTrue(message.contains("found both: a/1.avi and a/1.jpg"), message);
  }

  @Test
  void convertsToWebmWithTheSameFrames() throws IOException {
    Path file = TinyVideos.avi(folder.resolve("a.avi"), 64, 48, 30, new Color(30, 90, 160));
    Path webm = folder.resolve("a.webm");
    ENGINE.convertToWebm(file, webm);
    try (Video video = ENGINE.open(webm);
        Video original = ENGINE.open(file)) {
      assertEquals("vp8 yuv420p", video.encoding());
      assertEquals(original.frames(), video.frames());
      assertEquals(64, video.width());
      assertEquals(48, video.height());
      byte[][] frames = new byte[2][];
      original.read(new int[] {20}, (position, rgb) -> frames[0] = rgb.clone());
      video.read(new int[] {20}, (position, rgb) -> frames[1] = rgb.clone());
      double difference = 0;
      for (int i = 0; i < frames[0].length; i++) {
        difference += Math.abs((frames[0][i] & 0xff) - (frames[1][i] & 0xff));
      }
      assertTrue(difference / frames[0].length < 8, "" + difference / frames[0].length);
    }
    assertThrows(
        DataException.class,
        () -> ENGINE.convertToWebm(folder.resolve("none.avi"), folder.resolve("none.webm")));
  }
}
