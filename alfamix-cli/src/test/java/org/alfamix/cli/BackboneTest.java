package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.alfamix.io.array.Npy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests pre-trained networks on images: features, heads and fine-tuning. */
class BackboneTest {
  @TempDir Path folder;

  @BeforeEach
  void prepare() throws IOException {
    for (String name : new String[] {"small.pt", "lenet5.pth"}) {
      try (InputStream in = BackboneTest.class.getResourceAsStream("/weights/" + name)) {
        Files.copy(in, folder.resolve(name));
      }
    }
    for (int i = 0; i < 40; i++) {
      BufferedImage image = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
      int level = 130 + 3 * i;
      for (int p = 0; p < 400; p++) {
        image.setRGB(p % 20, p / 20, i % 2 == 0 ? level << 16 : level);
      }
      Path file = folder.resolve("images/" + (i % 2 == 0 ? "red" : "blue") + "/" + i + ".png");
      Files.createDirectories(file.getParent());
      ImageIO.write(image, "png", file.toFile());
    }
  }

  /** Writes a zip file that is not a PyTorch checkpoint. */
  @BeforeEach
  void prepareZip() throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(Files.newOutputStream(folder.resolve("images.pt")))) {
      zip.putNextEntry(new ZipEntry("a"));
    }
  }

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private CommandOutcome succeed(String... args) {
    CommandOutcome outcome = run(args);
    assertEquals(0, outcome.code(), outcome.err());
    return outcome;
  }

  private CommandOutcome run(String... args) {
    Stream<String> dataOptions = Stream.of("--data", in("images"), "--data-dir", in("data"));
    return CommandOutcome.of(Stream.concat(Stream.of(args), dataOptions).toArray(String[]::new));
  }

  private void assertFails(int code, String expected, String... args) {
    CommandOutcome outcome = run(args);
    assertEquals(code, outcome.code(), outcome.out() + outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
    long lines = outcome.err().lines().filter(line -> !line.startsWith("Try '")).count();
    assertEquals(1, lines, outcome.err());
  }

  @Test
  void cachesFeaturesAndTrainsAHeadOnThem() throws IOException {
    String[] features = {
      "embed", "--backbone", in("small.pt"), "--image-size", "16", "--output", in("features")
    };
    CommandOutcome first = succeed(features);
    assertTrue(first.err().contains("computing features of 40 images"), first.err());
    assertTrue(first.out().contains("36 x 5 features"), first.out());
    float[] once = Npy.open(folder.resolve("features/pool.npy")).readFloats();
    CommandOutcome again = succeed(features);
    assertEquals("", again.err(), "the features are cached");
    assertArrayEquals(once, Npy.open(folder.resolve("features/pool.npy")).readFloats());

    CommandOutcome train =
        succeed(
            "train",
            "--backbone",
            in("small.pt"),
            "--image-size",
            "16",
            "--labelled",
            "20",
            "--rate",
            "0.05",
            "--output",
            in("model.safetensors"));
    assertTrue(train.out().contains("linear: 12 parameters, embeddings of 5 values"), train.out());
    assertTrue(train.out().contains("test accuracy     100.0 %"), train.out());
    // The checkpoint stores the backbone and the image size.
    CommandOutcome embed =
        succeed("embed", "--checkpoint", in("model.safetensors"), "--output", in("out"));
    assertTrue(embed.out().contains("36 embeddings of 5 values by linear"), embed.out());
    assertArrayEquals(once, Npy.open(folder.resolve("out/pool.npy")).readFloats());
    CommandOutcome select =
        CommandOutcome.of(
            "select",
            "--embeddings",
            in("out/pool.npy"),
            "--labels",
            in("out/labels.csv"),
            "--head",
            in("out/head.npz"),
            "--budget",
            "3");
    assertEquals(0, select.code(), select.err());
  }

  @Test
  void rejectsAChangedBackboneFile() throws IOException {
    Path backbone = Files.copy(folder.resolve("small.pt"), folder.resolve("mine.pt"));
    succeed(
        "train",
        "--backbone",
        backbone.toString(),
        "--image-size",
        "16",
        "--labelled",
        "10",
        "--epochs",
        "5",
        "--output",
        in("model.safetensors"));
    String[] again = {
      "train",
      "--continue",
      in("model.safetensors"),
      "--epochs",
      "2",
      "--output",
      in("2.safetensors")
    };
    succeed(again);
    succeed("embed", "--checkpoint", in("2.safetensors"), "--output", in("out"));
    assertFails(
        3,
        "or the image size has changed since the model was trained",
        Stream.concat(Stream.of(again), Stream.of("--image-size", "20")).toArray(String[]::new));
    try (InputStream in = BackboneTest.class.getResourceAsStream("/weights/other.pt")) {
      Files.write(backbone, in.readAllBytes());
    }
    assertFails(3, "or the image size has changed since the model was trained", again);
    assertFails(
        3,
        "or the image size has changed since the model was trained",
        "embed",
        "--checkpoint",
        in("model.safetensors"),
        "--output",
        in("out"));
  }

  @Test
  void runsASettingWithABackboneFile() throws IOException {
    Files.writeString(
        folder.resolve("mine.yaml"),
        "data: images\nimage-size: 16\nbackbone: small.pt\nnetwork: linear\ninitial: 4\nbudget: 2\n"
            + "rounds: 1\nseeds: 1\nstrategies: [random]\ntraining: {epochs: 2}\n");
    for (int call = 0; call < 2; call++) {
      CommandOutcome run =
          CommandOutcome.of(
              "lab", "run", in("mine.yaml"), "--runs", in("runs"), "--data-dir", in("data"));
      assertEquals(0, run.code(), run.err());
      assertTrue(run.out().contains("Test accuracy"), run.out());
    }
    Files.writeString(
        folder.resolve("tuned.yaml"),
        "data: images\nimage-size: 16\nnetwork: linear\nbackbone: small.pt\ninitial: 4\nbudget: 2\n"
            + "rounds: 1\nseeds: 1\nstrategies: [random]\ntraining: {epochs: 2, augment: flip}\n");
    CommandOutcome invalid =
        CommandOutcome.of(
            "lab", "run", in("tuned.yaml"), "--runs", in("runs"), "--data-dir", in("data"));
    assertEquals(3, invalid.code());
    assertTrue(
        invalid
            .err()
            .contains("'augment' changes images in each step, but features are computed once"),
        invalid.err());
  }

  @Tag("slow")
  @Test
  void fineTunesANetworkFromWeights() {
    CommandOutcome train =
        succeed(
            "train",
            "--network",
            "resnet18",
            "--image-size",
            "32",
            "--labelled",
            "8",
            "--epochs",
            "1",
            "--augment",
            "crop,flip",
            "--output",
            in("resnet.safetensors"));
    assertTrue(train.out().contains("resnet18: 11,177,538 parameters"), train.out());
    Map<String, String> trainable =
        Map.of("all", "11,177,538", "last:2", "8,394,754", "norms", "10,626", "frozen", "1,026");
    trainable.forEach(
        (tuning, parameters) -> {
          CommandOutcome tuned =
              succeed(
                  "train",
                  "--network",
                  "resnet18",
                  "--weights",
                  in("resnet.safetensors"),
                  "--tuning",
                  tuning,
                  "--image-size",
                  "32",
                  "--labelled",
                  "8",
                  "--epochs",
                  "2",
                  "--output",
                  in("tuned.safetensors"));
          assertTrue(tuned.out().contains("resnet18: " + parameters + " parameters"), tuned.out());
        });
  }

  @Test
  void reportsErrorsInOneLine() {
    String output = in("model.safetensors");
    assertFails(
        3,
        "'resnet50' is neither the name of published weights (resnet50-imagenet,"
            + " resnet18-imagenet,",
        "train",
        "--backbone",
        "resnet50",
        "--output",
        output);
    assertFails(
        3,
        "contains weights only; specify the network as NETWORK@",
        "train",
        "--backbone",
        in("lenet5.pth"),
        "--output",
        output);
    assertFails(
        3,
        "tensors of resnet18 are missing",
        "train",
        "--network",
        "resnet18",
        "--weights",
        in("lenet5.pth"),
        "--image-size",
        "32",
        "--output",
        output);
    assertFails(
        3,
        "conv1.weight: shape [6, 1, 5, 5], expected [6, 3, 5, 5].",
        "train",
        "--backbone",
        "lenet5@" + in("lenet5.pth"),
        "--image-size",
        "12",
        "--output",
        output);
    assertFails(
        2,
        "expected one of mlp,",
        "train",
        "--backbone",
        "lenet9@" + in("lenet5.pth"),
        "--output",
        output);
    assertFails(
        2,
        "--tuning is 'most', expected all, last, last:N, norms or frozen.",
        "train",
        "--network",
        "lenet5",
        "--weights",
        in("lenet5.pth"),
        "--tuning",
        "most",
        "--output",
        output);
    assertFails(2, "--tuning requires --weights.", "train", "--tuning", "last", "--output", output);
    assertFails(
        2, "--augment is 'turn', expected crop", "train", "--augment", "turn", "--output", output);
    assertFails(
        2,
        "--augment cannot be combined with --backbone, which computes the features only once.",
        "train",
        "--backbone",
        in("small.pt"),
        "--image-size",
        "16",
        "--augment",
        "flip",
        "--output",
        output);
    assertFails(
        2,
        "the network of these weights is unknown; add --network.",
        "train",
        "--weights",
        in("lenet5.pth"),
        "--output",
        output);
    assertFails(
        3,
        "no data.pkl in the archive",
        "train",
        "--backbone",
        in("images.pt"),
        "--output",
        output);
    assertFails(
        3,
        "'' is neither the name of published weights",
        "train",
        "--backbone",
        "@",
        "--output",
        output);
    assertFails(
        2, "Missing --checkpoint FILE, or --data and --backbone.", "embed", "--output", in("x"));
    CommandOutcome table =
        CommandOutcome.of(
            "embed",
            "--data",
            "letter",
            "--backbone",
            in("small.pt"),
            "--output",
            in("x"),
            "--data-dir",
            in("data"));
    assertEquals(3, table.code());
    assertTrue(
        table.err().contains("takes images with pixels from 0 to 255, or videos, not 16 columns."),
        table.err());
  }
}
