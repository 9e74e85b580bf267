package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.alfamix.io.array.Npy;
import org.alfamix.video.TinyVideos;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests folders of videos, with a network for videos and with a backbone for frames. */
class VideoTest {
  @TempDir Path folder;

  @BeforeEach
  void prepare() throws IOException {
    try (InputStream in = VideoTest.class.getResourceAsStream("/weights/small.pt")) {
      Files.copy(in, folder.resolve("small.pt"));
    }
    for (int i = 0; i < 20; i++) {
      boolean red = i % 2 == 0;
      Color colour = red ? new Color(150 + 4 * i, 0, 0) : new Color(0, 0, 150 + 4 * i);
      Path file = folder.resolve("clips/%s/film%d_1.avi".formatted(red ? "red" : "blue", i));
      TinyVideos.avi(file, 6 + i, colour);
    }
  }

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private CommandOutcome run(String... args) {
    Stream<String> dataOptions = Stream.of("--data", in("clips"), "--data-dir", in("data"));
    return CommandOutcome.of(Stream.concat(Stream.of(args), dataOptions).toArray(String[]::new));
  }

  private CommandOutcome succeed(String... args) {
    CommandOutcome outcome = run(args);
    assertEquals(0, outcome.code(), outcome.err());
    return outcome;
  }

  @Test
  void selectsWithABackboneForFrames() {
    String[] features = {
      "embed",
      "--backbone",
      in("small.pt"),
      "--image-size",
      "16",
      "--clip-frames",
      "3",
      "--output",
      in("features")
    };
    CommandOutcome first = succeed(features);
    assertTrue(first.err().contains("computing features of 20 videos"), first.err());
    assertTrue(first.out().contains("16 x 5 features"), first.out());
    float[] once = Npy.open(folder.resolve("features/pool.npy")).readFloats();
    assertEquals("", succeed(features).err(), "the features are cached");
    CommandOutcome both =
        succeed(
            Stream.concat(Stream.of(features), Stream.of("--frame-pooling", "mean-deviation"))
                .toArray(String[]::new));
    assertTrue(both.out().contains("16 x 10 features"), both.out());
    float[] twice = Npy.open(folder.resolve("features/pool.npy")).readFloats();
    for (int i = 0; i < 16; i++) {
      for (int d = 0; d < 5; d++) {
        assertEquals(once[5 * i + d], twice[10 * i + d], "the mean comes first");
      }
    }
    CommandOutcome train =
        succeed(
            "train",
            "--backbone",
            in("small.pt"),
            "--image-size",
            "16",
            "--clip-frames",
            "3",
            "--labelled",
            "8",
            "--rate",
            "0.05",
            "--output",
            in("model.safetensors"));
    assertTrue(train.out().contains("test accuracy     100.0 %"), train.out());
    // The checkpoint stores the backbone, the image size and the number of frames.
    CommandOutcome embed =
        succeed("embed", "--checkpoint", in("model.safetensors"), "--output", in("e"));
    assertEquals("", embed.err());
    assertArrayEquals(once, Npy.open(folder.resolve("e/pool.npy")).readFloats());
    CommandOutcome select =
        CommandOutcome.of(
            "select",
            "--embeddings",
            in("e/pool.npy"),
            "--labels",
            in("e/labels.csv"),
            "--head",
            in("e/head.npz"),
            "--budget",
            "3");
    assertEquals(0, select.code(), select.err());
    assertEquals(4, select.out().lines().count(), select.out());
  }

  @Tag("slow")
  @Test
  void trainsANetworkForVideos() {
    CommandOutcome train =
        succeed(
            "train",
            "--network",
            "mvit",
            "--clip-frames",
            "2",
            "--image-size",
            "32",
            "--labelled",
            "4",
            "--epochs",
            "2",
            "--goal",
            "none",
            "--optimizer",
            "adamw",
            "--weight-decay",
            "0.05",
            "--warm-up-epochs",
            "1",
            "--final-rate",
            "0.0001",
            "--output",
            in("mvit.safetensors"));
    assertTrue(
        train.out().contains("a pool of 16 items of 2 frames of 3 x 32 x 32 pixels"), train.out());
    assertTrue(train.out().contains("epochs                2 "), train.out());
    assertEquals("", train.err(), "without a goal there is no note that it was missed");
    CommandOutcome embed =
        succeed("embed", "--checkpoint", in("mvit.safetensors"), "--output", in("out"));
    assertTrue(embed.out().contains("16 embeddings of 768 values by mvit"), embed.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | --clip-frames is 0, expected 1 to | train --network mvit --clip-frames 0",
        "2 | --frame-pooling requires a backbone; add one. | train --frame-pooling max",
        "2 | --frame-pooling is 'median', expected mean | embed --output o --backbone small.pt"
            + " --frame-pooling median",
        "2 | --clip-stride applies only to networks that take videos | embed --output o --backbone"
            + " small.pt --clip-stride 2",
        "2 | --source-pattern is '(', which is not a regular | train --source-pattern (",
        "2 | --label-column applies only to tables. | train --label-column x",
        "2 | Videos require --backbone (resnet50-imagenet | train",
        "2 | --clip-frames is 1024 and image-size 4096: a clip has more | train --network mvit"
            + " --clip-frames 1024 --image-size 4096",
        "2 | --weight-decay applies only to adamw | train --weight-decay 0.1",
        "2 | --goal is 'never', expected | train --goal never",
        "3 | lenet5 takes images | train --network lenet5",
        "3 | mvit takes clips of an even number of frames | train --network mvit --clip-frames 3",
      })
  void reportsErrors(int code, String expected, String command) {
    String[] args = command.replace("small.pt", in("small.pt")).split(" ");
    CommandOutcome outcome =
        run(
            Stream.concat(
                    Stream.of(args),
                    args[0].equals("train")
                        ? Stream.of("--labelled", "4", "--output", in("x.safetensors"))
                        : Stream.of())
                .toArray(String[]::new));
    assertEquals(code, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
  }

  @Test
  void reportsABrokenClip() throws IOException {
    Path broken = Files.writeString(folder.resolve("clips/red/film98_1.avi"), "nothing");
    CommandOutcome outcome =
        run("embed", "--backbone", in("small.pt"), "--image-size", "16", "--output", in("f"));
    assertEquals(3, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(broken + ": cannot be read as a video"), outcome.err());
    assertTrue(Files.notExists(folder.resolve("f")), "no output was written");
  }
}
