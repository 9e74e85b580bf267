package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.array.Npy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the steps from a table of texts to the next batch, without a pre-trained network. */
class TextTest {
  private static final List<String> PLACES = List.of("Rome", "Oslo", "Lima", "Cairo", "Perth");

  @TempDir private Path folder;

  private String in(String name) {
    return folder.resolve(name).toString();
  }

  private Path tickets() throws IOException {
    StringBuilder table = new StringBuilder("ticket,body,team\n");
    for (int i = 0; i < 120; i++) {
      String place = PLACES.get(i % PLACES.size());
      String body =
          i % 2 == 0
              ? "the invoice for %s is wrong, refund it".formatted(place)
              : "the printer in %s has no paper".formatted(place);
      String team = i >= 60 ? "" : i % 2 == 0 ? "billing" : "office";
      table.append("T-%d,\"%s\",%s%n".formatted(i, body, team));
    }
    return Files.writeString(folder.resolve("tickets.csv"), table);
  }

  private static CommandOutcome succeed(String... args) {
    CommandOutcome outcome = CommandOutcome.of(args);
    assertEquals(0, outcome.code(), outcome.err());
    return outcome;
  }

  @Test
  void selectsTicketsFromATableWithATextColumn() throws IOException {
    String model = in("model.safetensors");
    succeed(
        "train",
        "--data=" + tickets(),
        "--text-column=body",
        "--label-column=team",
        "--id-column=ticket",
        "--network=linear",
        "--output=" + model);
    succeed("embed", "--checkpoint=" + model, "--output=" + in("out"));
    assertEquals(108, Npy.open(folder.resolve("out/pool.npy")).readMatrix().rows());
    assertTrue(Files.readString(folder.resolve("out/items.csv")).contains("T-"));
    CommandOutcome picks =
        succeed(
            "select",
            "--embeddings=" + in("out/pool.npy"),
            "--labels=" + in("out/labels.csv"),
            "--head=" + in("out/head.npz"),
            "--budget=4");
    assertEquals(5, picks.out().lines().filter(line -> line.contains(",")).count(), picks.out());
    assertTrue(picks.out().contains("predicted office") || picks.out().contains("billing"));
  }

  @Test
  @Tag("slow")
  void demonstratesTheSavingsOnTexts() {
    CommandOutcome demo =
        succeed(
            "demo",
            "--data=banking77",
            "--seeds=1",
            "--rounds=1",
            "--strategies=random,alfamix",
            "--output=" + in("demo"));
    assertTrue(
        demo.out().contains("banking77 (customers' questions to a bank): 77 classes, a pool of"),
        demo.out());
    assertTrue(demo.out().matches("(?s).*\\n  labels +77 +154\\n  random +\\d.*"), demo.out());
    assertTrue(Files.exists(folder.resolve("demo/report.html")));
  }

  @Test
  void continuesTrainingOnTheSameTextsOnly() throws IOException {
    Path file = tickets();
    String[] train = {
      "train",
      "--data=" + file,
      "--text-column=body",
      "--label-column=team",
      "--network=linear",
      "--output=" + in("first.safetensors")
    };
    succeed(train);
    String[] again = {
      "train",
      "--data=" + file,
      "--continue=" + in("first.safetensors"),
      "--output=" + in("second.safetensors")
    };
    Files.writeString(file, Files.readString(file).replaceFirst("(T-60,.*,)", "$1billing"));
    succeed(again);
    Files.writeString(file, Files.readString(file).replaceFirst("refund", "return"));
    TrainTest.assertFails(3, "first.safetensors was trained on other texts than those of", again);
  }

  @Test
  void reportsErrorsInOneLine() throws IOException {
    Path file = tickets();
    String data = "--data=" + file;
    TrainTest.assertFails(
        3,
        "tickets.csv: no column 'text'; the columns are ticket, body, team.",
        "train",
        data,
        "--text-column=text",
        "--label-column=team");
    TrainTest.assertFails(
        2,
        "--backbone is 'resnet18-imagenet', expected ngrams for texts.",
        "train",
        data,
        "--text-column=body",
        "--label-column=team",
        "--backbone=resnet18-imagenet");
    TrainTest.assertFails(
        3,
        "letter: ngrams are features of texts, but the items are not texts",
        "train",
        "--data=letter",
        "--features=ngrams");
    TrainTest.assertFails(
        2,
        "--text-column applies only to your own data, not to banking77.",
        "train",
        "--data=banking77",
        "--text-column=text");
  }
}
