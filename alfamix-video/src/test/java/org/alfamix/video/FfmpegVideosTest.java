package org.alfamix.video;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.datasets.video.Video;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares frames with those of the program {@code ffmpeg}; skipped if it is not installed. */
class FfmpegVideosTest {
  private static final Path SHARED = Path.of("../../shared/data/jhmdb-clips");
  private static final VideoEngine ENGINE = VideoEngine.find();

  @TempDir private Path folder;

  private static boolean runs(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void requireFfmpeg() {
    assumeTrue(runs("ffmpeg", "-version"), "the program ffmpeg is not installed");
  }

  /** Writes a moving pattern of 40 frames. */
  private Path make(String name, String... codec) {
    requireFfmpeg();
    Path file = folder.resolve(name);
    List<String> command =
        new ArrayList<>(
            List.of("ffmpeg", "-y", "-f", "lavfi", "-i", "testsrc=size=96x64:rate=10:duration=4"));
    command.addAll(List.of(codec));
    command.add(file.toString());
    assumeTrue(runs(command.toArray(String[]::new)), "this ffmpeg cannot write " + name);
    return file;
  }

  /** Returns all frames as decoded by the program. */
  private List<byte[]> reference(Path file, int frameBytes) throws IOException {
    Path raw = folder.resolve("reference.raw");
    assertTrue(
        runs(
            "ffmpeg",
            "-y",
            "-i",
            file.toString(),
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-vsync",
            "passthrough",
            raw.toString()));
    byte[] bytes = Files.readAllBytes(raw);
    return IntStream.range(0, bytes.length / frameBytes)
        .mapToObj(i -> Arrays.copyOfRange(bytes, i * frameBytes, (i + 1) * frameBytes))
        .toList();
  }

  private static List<byte[]> frames(Video video, int... wanted) {
    List<byte[]> frames = new ArrayList<>();
    video.read(
        wanted,
        (position, rgb) -> {
          assertEquals(frames.size(), position);
          frames.add(rgb.clone());
        });
    assertEquals(wanted.length, frames.size());
    return frames;
  }

  /** Returns the peak signal-to-noise ratio in decibels. */
  private static double psnr(byte[] a, byte[] b) {
    assertEquals(a.length, b.length);
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      double difference = (a[i] & 0xff) - (b[i] & 0xff);
      sum += difference * difference;
    }
    return 10 * Math.log10(255 * 255 / Math.max(1e-9, sum / a.length));
  }

  private void assertSameFramesAsFfmpeg(Path file) throws IOException {
    try (Video video = ENGINE.open(file)) {
      List<byte[]> expected = reference(file, 3 * video.width() * video.height());
      assertEquals(expected.size(), video.frames(), file.toString());
      List<byte[]> found = frames(video, IntStream.range(0, video.frames()).toArray());
      for (int i = 0; i < found.size(); i++) {
        double psnr = psnr(expected.get(i), found.get(i));
        assertTrue(psnr > 40, "%s, frame %d: %.1f dB".formatted(file, i, psnr));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.mp4", "a.mov", "a.avi", "a.mkv", "a.webm", "a.gif"})
  void decodesEveryFormatLikeFfmpeg(String name) throws IOException {
    assertSameFramesAsFfmpeg(make(name));
  }

  /** FFmpeg's fast converters write blocks of pixels, even if the width is not a multiple. */
  @ParameterizedTest
  @ValueSource(strings = {"426x240", "854x480", "2x2", "18x20", "50x38", "66x4", "70x70"})
  void decodesFramesOfAnySizeCompletely(String size) throws IOException {
    requireFfmpeg();
    Path file = folder.resolve("size.avi");
    assumeTrue(
        runs(
            "ffmpeg",
            "-y",
            "-f",
            "lavfi",
            "-i",
            "testsrc2=size=%s:rate=5:duration=1".formatted(size),
            "-c:v",
            "mpeg4",
            "-q:v",
            "2",
            "-pix_fmt",
            "yuv420p",
            file.toString()));
    assertSameFramesAsFfmpeg(file);
    try (Video video = ENGINE.open(file)) {
      List<byte[]> once = frames(video, 0, 1, 2);
      List<byte[]> again = frames(video, 0, 1, 2);
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(once.get(i), again.get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bt709 tv", "bt709 pc", "smpte170m tv"})
  void convertsColoursLikeFfmpeg(String colours) throws IOException {
    String[] words = colours.split(" ");
    assertSameFramesAsFfmpeg(
        make(
            "colours.mp4",
            "-pix_fmt",
            "yuv420p",
            "-vf",
            "scale=out_color_matrix=%s:out_range=%s".formatted(words[0], words[1]),
            "-colorspace",
            words[0],
            "-color_range",
            words[1]));
  }

  /** Cameras may cut recordings such that the first frames refer to a missing key frame. */
  @Test
  void readsFramesBeforeTheFirstKeyFrame() throws IOException {
    Path whole = make("whole.mkv", "-pix_fmt", "yuv420p", "-g", "20", "-bf", "0");
    Path cut = folder.resolve("cut.mkv");
    assumeTrue(
        runs(
            "ffmpeg",
            "-y",
            "-i",
            whole.toString(),
            "-ss",
            "0.7",
            "-c",
            "copy",
            "-copyinkf",
            cut.toString()));
    try (Video video = ENGINE.open(cut)) {
      int count = video.frames();
      assertEquals(count, frames(video, IntStream.range(0, count).toArray()).size());
      assertEquals(count, frames(video, IntStream.range(0, count).toArray()).size(), "again");
    }
  }

  @Test
  void readsAnySelectionOfFramesRepeatedly() throws IOException {
    Path file = make("b.mp4", "-bf", "2");
    try (Video video = ENGINE.open(file)) {
      assertEquals(40, video.frames());
      assertEquals(96, video.width());
      assertEquals(64, video.height());
      List<byte[]> all = frames(video, IntStream.range(0, 40).toArray());
      for (int time = 0; time < 3; time++) {
        List<byte[]> some = frames(video, 0, 7, 7, 39);
        assertArrayEquals(all.get(0), some.get(0));
        assertArrayEquals(all.get(7), some.get(1));
        assertArrayEquals(all.get(7), some.get(2));
        assertArrayEquals(all.get(39), some.get(3));
      }
      assertThrows(IllegalArgumentException.class, () -> frames(video, 3, 2));
      assertThrows(IllegalArgumentException.class, () -> frames(video, 40));
    }
  }

  /** Phones record the rotation as metadata; the program ffmpeg rotates such frames, too. */
  @ParameterizedTest
  @ValueSource(ints = {90, 180, 270})
  void rotatesFramesUpright(int degrees) throws IOException {
    Path file = make("plain.mp4", "-pix_fmt", "yuv420p");
    Path rotated = folder.resolve("rotated.mp4");
    assumeTrue(
        runs(
            "ffmpeg",
            "-y",
            "-i",
            file.toString(),
            "-c",
            "copy",
            "-metadata:s:v:0",
            "rotate=" + degrees,
            rotated.toString()));
    try (Video video = ENGINE.open(rotated)) {
      assumeTrue(degrees == 180 || video.width() == 64, "this ffmpeg does not write rotations");
      assertEquals(degrees == 180 ? 96 : 64, video.width());
      assertEquals(degrees == 180 ? 64 : 96, video.height());
    }
    assertSameFramesAsFfmpeg(rotated);
  }

  @Test
  void namesFilesThatAreNotVideos() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.mp4"));
    Path text = Files.writeString(folder.resolve("text.avi"), "this is no video\n".repeat(100));
    Path playlist =
        Files.writeString(
            folder.resolve("list.mp4"), "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\na.ts\n");
    Path script =
        Files.writeString(folder.resolve("concat.mp4"), "ffconcat version 1.0\nfile 'x.mp4'\n");
    for (Path file : List.of(empty, text, playlist, script)) {
      String message = assertThrows(DataException.class, () -> ENGINE.open(file)).getMessage();
      assertTrue(message.startsWith(file + ": "), message);
      assertEquals(1, message.lines().count(), message);
      assertTrue(message.matches("[ -~]+\\."), message);
    }
    Path missing = folder.resolve("missing.mp4");
    assertEquals(
        missing + ": no such file.",
        assertThrows(DataException.class, () -> ENGINE.open(missing)).getMessage());
  }

  /** A small header can announce frames that do not fit into memory. */
  @Test
  void rejectsHugeFrames() throws IOException {
    requireFfmpeg();
    Path file = folder.resolve("huge.avi");
    assumeTrue(
        runs(
            "ffmpeg",
            "-y",
            "-f",
            "lavfi",
            "-i",
            "color=size=16000x8000:rate=1:duration=1",
            "-c:v",
            "mjpeg",
            file.toString()));
    String message = assertThrows(DataException.class, () -> ENGINE.open(file)).getMessage();
    assertEquals(file + ": frames of 16000 x 8000, expected at most 67,108,864 pixels.", message);
  }

  @Test
  void rejectsAudioWithoutVideo() {
    requireFfmpeg();
    Path file = folder.resolve("sound.mp4");
    assumeTrue(
        runs(
            "ffmpeg",
            "-y",
            "-f",
            "lavfi",
            "-i",
            "sine=duration=1",
            "-c:a",
            "aac",
            file.toString()));
    assertEquals(
        file + ": contains no video stream that can be decoded.",
        assertThrows(DataException.class, () -> ENGINE.open(file)).getMessage());
  }

  @Test
  void readsTheRestOfTruncatedFilesOrRejectsThem() throws IOException {
    Path whole = make("whole.avi");
    byte[] bytes = Files.readAllBytes(whole);
    for (int length : new int[] {bytes.length / 50, bytes.length / 2}) {
      Path part = Files.write(folder.resolve("part.avi"), Arrays.copyOf(bytes, length));
      try (Video video = ENGINE.open(part)) {
        assertTrue(video.frames() >= 1 && video.frames() < 40);
        frames(video, IntStream.range(0, video.frames()).toArray());
      } catch (DataException e) {
        assertTrue(e.getMessage().startsWith(part + ": "), e.getMessage());
      }
    }
  }

  /** Reads the publisher's AVI files, and every fortieth of the re-encoded clips. */
  @ParameterizedTest
  @ValueSource(strings = {"jhmdb-originals-avi.zip", "jhmdb-clips-mp4.zip"})
  void decodesRealClipsLikeFfmpeg(String archive) throws IOException {
    requireFfmpeg();
    Path path = SHARED.resolve(archive);
    assumeTrue(Files.exists(path), path + " does not exist");
    try (ZipFile zip = new ZipFile(path.toFile())) {
      List<? extends ZipEntry> clips =
          zip.stream().filter(entry -> entry.getName().matches(".*\\.(avi|mp4)")).toList();
      assertTrue(clips.size() >= 21);
      for (int c = 0; c < clips.size(); c += Math.max(1, clips.size() / 23)) {
        String name = clips.get(c).getName();
        Path file = folder.resolve("clip" + name.substring(name.lastIndexOf('.')));
        try (InputStream in = zip.getInputStream(clips.get(c))) {
          Files.write(file, in.readAllBytes());
        }
        assertSameFramesAsFfmpeg(file);
      }
    }
  }
}
