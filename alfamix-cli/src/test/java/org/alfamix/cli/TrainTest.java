package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.alfamix.io.array.Npy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the steps from a data set to the next batch: train, embed, select. */
class TrainTest {
  @TempDir Path folder;

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private static CommandOutcome succeed(String... args) {
    CommandOutcome outcome = CommandOutcome.of(args);
    assertEquals(0, outcome.code(), outcome.err());
    return outcome;
  }

  /** Selects from the embeddings in the folder {@code out}. */
  private CommandOutcome select(int budget, String... more) {
    List<String> args = new ArrayList<>(List.of("select", "--budget", Integer.toString(budget)));
    args.addAll(List.of("--embeddings", in("out/pool.npy"), "--labels", in("out/labels.csv")));
    args.addAll(List.of("--head", in("out/head.npz")));
    args.addAll(List.of(more));
    return succeed(args.toArray(String[]::new));
  }

  static void assertFails(int code, String expected, String... args) {
    CommandOutcome outcome = CommandOutcome.of(args);
    assertEquals(code, outcome.code(), outcome.out() + outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
    long lines = outcome.err().lines().filter(line -> !line.startsWith("Try '")).count();
    assertEquals(1, lines, outcome.err());
  }

  @ParameterizedTest
  @CsvSource({"letter, 400, 1024, 18000, 26", "digits, 2000, 256, 1618, 10"})
  void selectsWithATrainedNetwork(String data, String labelled, int width, int pool, int classes)
      throws IOException {
    String model = in("model.safetensors");
    CommandOutcome train =
        succeed(
            "train",
            "--data",
            data,
            "--network",
            "mlp",
            "--labelled",
            labelled,
            "--epochs",
            "60",
            "--output",
            model);
    assertTrue(train.out().contains("test accuracy"), train.out());
    assertTrue(train.out().contains("epochs"), train.out());
    assertTrue(train.out().contains("items per second"), train.out());
    assertEquals(
        data.equals("digits"),
        train.err().contains("The pool of digits has only 1,618 labelled items, fewer than"));
    assertTrue(Files.exists(folder.resolve("model.json")));
    CommandOutcome embed = succeed("embed", "--checkpoint", model, "--output", in("out"));
    // If all items are labelled, there is nothing to select.
    assertEquals(data.equals("letter"), embed.out().contains("alfamix select"), embed.out());
    long[] shape = Npy.open(folder.resolve("out/pool.npy")).shape();
    assertArrayEquals(new long[] {pool, width}, shape);
    List<String> labels = Files.readAllLines(folder.resolve("out/labels.csv"));
    assertEquals(Math.min(pool, Integer.parseInt(labelled)) + 1, labels.size());
    if (data.equals("digits")) {
      return;
    }
    CommandOutcome first = select(12);
    assertEquals(13, first.out().lines().count());
    assertTrue(
        first.out().lines().skip(1).allMatch(line -> line.matches(".*,[A-Z],\"predicted [A-Z].*")),
        "class names: " + first.out());
    assertFalse(first.err().contains("order of the classes"), first.err());
    assertEquals(first.out(), select(12).out());
  }

  @Test
  void continuesTrainingWithNewLabels() throws IOException {
    String model = in("digits.safetensors");
    succeed("train", "--data", "digits", "--labelled", "50", "--output", model);
    succeed("embed", "--checkpoint", model, "--output", in("out"));
    select(20, "--output", in("picks.csv"));
    // An oracle labels the picks.
    List<String> labels = new ArrayList<>(Files.readAllLines(folder.resolve("out/labels.csv")));
    List<String> truth = Files.readAllLines(folder.resolve("out/truth.csv"));
    Files.readAllLines(folder.resolve("picks.csv")).stream()
        .skip(1)
        .forEach(line -> labels.add(truth.get(1 + Integer.parseInt(line.split(",")[0]))));
    Files.write(folder.resolve("labels.csv"), labels);
    CommandOutcome again =
        succeed(
            "train",
            "--data",
            "digits",
            "--labels",
            in("labels.csv"),
            "--continue",
            model,
            "--output",
            in("next.safetensors"));
    assertTrue(again.out().contains("70 labelled items"), again.out());
    String json = Files.readString(folder.resolve("next.json"));
    assertTrue(json.contains("\"continue\" : true"), json);
  }

  @Test
  void doesNotOverwriteAddedLabels() throws IOException {
    String model = in("d.safetensors");
    succeed("train", "--data", "digits", "--labelled", "20", "--epochs", "1", "--output", model);
    succeed("embed", "--checkpoint", model, "--output", in("out"));
    succeed("embed", "--checkpoint", model, "--output", in("out"));
    Path labels = folder.resolve("out/labels.csv");
    Files.writeString(labels, Files.readString(labels) + "1600,3\n");
    byte[] pool = Files.readAllBytes(folder.resolve("out/pool.npy"));
    assertFails(
        3,
        "'1600,3' is not one of the training labels",
        "embed",
        "--checkpoint",
        model,
        "--output",
        in("out"));
    assertTrue(Files.readString(labels).endsWith("1600,3\n"));
    assertArrayEquals(pool, Files.readAllBytes(folder.resolve("out/pool.npy")));
    // If one of the files cannot be written, the others stay as they were.
    Files.delete(labels);
    Files.delete(folder.resolve("out/truth.csv"));
    Files.createDirectory(folder.resolve("out/truth.csv"));
    succeed("train", "--data", "digits", "--labelled", "21", "--epochs", "1", "--output", model);
    assertFails(
        4,
        "truth.csv is a folder; expected a file name.",
        "embed",
        "--checkpoint",
        model,
        "--output",
        in("out"));
    assertArrayEquals(pool, Files.readAllBytes(folder.resolve("out/pool.npy")));
  }

  @Test
  void sameCommandWritesTheSameFiles() throws IOException {
    for (String name : new String[] {"a", "b"}) {
      succeed(
          "train",
          "--data",
          "letter",
          "--labelled",
          "100",
          "--epochs",
          "20",
          "--dropout",
          "0.2",
          "--output",
          in(name + ".safetensors"));
    }
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("a.safetensors")),
        Files.readAllBytes(folder.resolve("b.safetensors")));
    assertEquals(
        Files.readString(folder.resolve("a.json")), Files.readString(folder.resolve("b.json")));
    for (String name : new String[] {"one", "two"}) {
      succeed("embed", "--checkpoint", in("a.safetensors"), "--output", in(name));
    }
    for (String file : new String[] {"pool.npy", "head.npz", "labels.csv", "truth.csv"}) {
      assertArrayEquals(
          Files.readAllBytes(folder.resolve("one").resolve(file)),
          Files.readAllBytes(folder.resolve("two").resolve(file)),
          file);
    }
  }

  @Test
  void trainsOnATable() throws IOException {
    StringBuilder table = new StringBuilder("a,kind,b\n");
    for (int i = 0; i < 200; i++) {
      table.append(1000 + i).append(i < 100 ? ",low," : ",high,").append(i % 7).append('\n');
    }
    Files.writeString(folder.resolve("own.csv"), table);
    CommandOutcome train =
        succeed(
            "train",
            "--data",
            in("own.csv"),
            "--label-column",
            "kind",
            "--standardize",
            "--labelled",
            "60",
            "--rate",
            "0.01",
            "--output",
            in("own.safetensors"));
    assertTrue(train.out().contains("2 classes, a pool of 180 items of 2 columns"), train.out());
    succeed("embed", "--checkpoint", in("own.safetensors"), "--output", in("out"));
    assertTrue(Files.readString(folder.resolve("out/labels.csv")).contains("high"));
  }

  /** The usual case of active learning: most rows have no class. */
  @Test
  void picksRowsWithoutAClass() throws IOException {
    StringBuilder table = new StringBuilder("name,a,b,class\n");
    for (int i = 0; i < 200; i++) {
      String label = i % 5 > 0 ? "" : i < 100 ? "low" : "high";
      table.append("n").append(i).append(',').append(i).append(',').append(i % 7).append(',');
      table.append(label).append('\n');
    }
    Files.writeString(folder.resolve("own.csv"), table);
    CommandOutcome train =
        succeed(
            "train",
            "--data",
            in("own.csv"),
            "--id-column",
            "name",
            "--standardise",
            "--rate",
            "0.01",
            "--output",
            in("own.safetensors"));
    assertTrue(train.out().contains("a pool of 180 items"), train.out());
    succeed("embed", "--checkpoint", in("own.safetensors"), "--output", in("out"));
    CommandOutcome picks = select(10);
    List<String> items = Files.readAllLines(folder.resolve("out/items.csv"));
    for (String line : picks.out().lines().skip(1).toList()) {
      String name = items.get(1 + Integer.parseInt(line.split(",")[0])).split(",")[1];
      assertTrue(Integer.parseInt(name.substring(1)) % 5 > 0, name + " has a class already");
    }
    // Rows in another order are another pool: labels would be assigned to the wrong rows.
    List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("own.csv")));
    java.util.Collections.swap(lines, 7, 8);
    Files.write(folder.resolve("own.csv"), lines);
    assertFails(
        3,
        "was trained on a different pool than that of own.csv",
        "embed",
        "--checkpoint",
        in("own.safetensors"),
        "--output",
        in("other"));
    // Classes are sorted, so "tall" follows "low" where "high" preceded it.
    lines.replaceAll(line -> line.replaceAll(",high$", ",tall"));
    Files.write(folder.resolve("own.csv"), lines);
    assertFails(
        3,
        "was trained on other classes than those of own.csv: class 0 is 'low', expected 'high'.",
        "embed",
        "--checkpoint",
        in("own.safetensors"),
        "--output",
        in("other"));
  }

  @Test
  void trainsOnFoldersOfImages() throws IOException {
    for (int i = 0; i < 40; i++) {
      boolean bright = i % 2 == 0;
      BufferedImage image = new BufferedImage(20, 16, BufferedImage.TYPE_INT_RGB);
      for (int p = 0; p < 320; p++) {
        image.setRGB(p % 20, p / 20, bright ? 0xe0e0e0 - i : i);
      }
      Path file = folder.resolve("photos/%s/%d.png".formatted(bright ? "day" : "night", i));
      Files.createDirectories(file.getParent());
      ImageIO.write(image, "png", file.toFile());
    }
    CommandOutcome train =
        succeed(
            "train",
            "--data",
            in("photos"),
            "--image-size",
            "24",
            "--network",
            "lenet5",
            "--labelled",
            "30",
            "--output",
            in("photos.safetensors"));
    assertTrue(train.out().contains("3 x 24 x 24 pixels"), train.out());
    assertTrue(train.out().contains("test accuracy     100.0 %"), train.out());
    succeed("embed", "--checkpoint", in("photos.safetensors"), "--output", in("out"));
  }

  @Test
  void reportsErrorsInOneLineAndKeepsFiles() throws IOException {
    String model = in("m.safetensors");
    assertFails(
        2,
        "Unknown network 'vgg'; expected one of mlp, lenet5, lenet5-relu, net1, linear, resnet18",
        "train",
        "--data",
        "letter",
        "--network",
        "vgg",
        "--labelled",
        "10",
        "--output",
        model);
    assertFails(
        3,
        "'nothing' is neither a named data set nor a file",
        "train",
        "--data",
        "nothing",
        "--labelled",
        "10",
        "--output",
        model);
    assertFails(
        2,
        "--labelled must be at least 1",
        "train",
        "--data",
        "letter",
        "--labelled",
        "0",
        "--output",
        model);
    assertFails(
        2,
        "--rate is -1.0, expected a positive number",
        "train",
        "--data",
        "letter",
        "--labelled",
        "10",
        "--rate",
        "-1",
        "--output",
        model);
    assertFails(
        2,
        "expected a name that ends in .safetensors",
        "train",
        "--data",
        "letter",
        "--labelled",
        "10",
        "--output",
        in("model.pt"));
    assertFails(
        2,
        "cannot be written: the folder",
        "train",
        "--data",
        "letter",
        "--labelled",
        "10",
        "--output",
        in("no/m.safetensors"));
    assertFails(
        3,
        "lenet5 takes images",
        "train",
        "--data",
        "letter",
        "--labelled",
        "10",
        "--network",
        "lenet5",
        "--output",
        model);
    assertFails(
        2,
        "--image-size applies only to your own data, not to letter",
        "train",
        "--data",
        "letter",
        "--labelled",
        "10",
        "--image-size",
        "3",
        "--output",
        model);
    Files.writeString(folder.resolve("labels.csv"), "id,label\n3,A\n18000,B\n");
    assertFails(
        3,
        "line 3: id '18000', expected a row of the pool, 0 to 17999",
        "train",
        "--data",
        "letter",
        "--labels",
        in("labels.csv"),
        "--output",
        model);
    Files.writeString(folder.resolve("labels.csv"), "id,label\n3,A\n4,AB\n");
    assertFails(
        3,
        "line 3: unknown class 'AB' of letter; expected one of A",
        "train",
        "--data",
        "letter",
        "--labels",
        in("labels.csv"),
        "--output",
        model);
    Files.writeString(folder.resolve("labels.csv"), "id,label\n3,A\n3,B\n");
    assertFails(
        3,
        "item 3 has the label 'B', but 'A' in an earlier row",
        "train",
        "--data",
        "letter",
        "--labels",
        in("labels.csv"),
        "--output",
        model);
    assertFalse(Files.exists(Path.of(model)));
    Files.writeString(folder.resolve("other.csv"), "row,kind\n1,2\n");
    succeed("train", "--data", "digits", "--labelled", "20", "--epochs", "1", "--output", model);
    assertFails(
        3,
        "was trained on items of 1 x 8 x 8 pixels, but the items of letter have 16 columns",
        "embed",
        "--checkpoint",
        model,
        "--data",
        "letter",
        "--output",
        in("out"));
    assertFails(
        3,
        "was trained on items of 1 x 8 x 8 pixels, but the items of letter have 16 columns",
        "train",
        "--data",
        "letter",
        "--labelled",
        "20",
        "--continue",
        model,
        "--output",
        model);
    assertFails(
        2,
        "m.safetensors contains the network mlp, not lenet5",
        "train",
        "--data",
        "digits",
        "--labelled",
        "20",
        "--continue",
        model,
        "--network",
        "lenet5",
        "--output",
        model);
    assertFails(
        2,
        "--threads must be 0 to 256",
        "train",
        "--data",
        "digits",
        "--threads",
        "5000",
        "--output",
        model);
    assertFails(
        3,
        "expected columns id (or item) and label",
        "train",
        "--data",
        "digits",
        "--labels",
        in("other.csv"),
        "--output",
        model);
    assertFails(
        3, "no such file", "embed", "--checkpoint", in("none.safetensors"), "--output", in("out"));
    assertFails(
        2, "is a file, expected a folder", "embed", "--checkpoint", model, "--output", model);
    assertFalse(Files.exists(folder.resolve("out")));
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(files.noneMatch(file -> file.toString().endsWith(".tmp")));
    }
  }
}
