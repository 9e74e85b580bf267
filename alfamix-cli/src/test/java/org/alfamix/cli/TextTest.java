package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.alfamix.io.array.Npy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the steps from texts to the next batch. */
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

  @ParameterizedTest
  @ValueSource(strings = {"minilm", "ngrams"})
  void selectsTicketsFromATableWithATextColumn(String features) throws IOException {
    String model = in("model.safetensors");
    succeed(
        "train",
        "--data=" + tickets(),
        "--text-column=body",
        "--label-column=team",
        "--id-column=ticket",
        "--network=linear",
        "--features=" + features,
        "--data-dir=" + folder,
        "--output=" + model);
    succeed("embed", "--checkpoint=" + model, "--output=" + in("out"), "--data-dir=" + folder);
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
            "--data-dir=" + folder,
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
      "--features=ngrams",
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
  void selectsFromATableInOneStep() throws IOException {
    CommandOutcome picks =
        succeed(
            "select",
            "--texts=" + tickets(),
            "--id-column=ticket",
            "--label-column=team",
            "--strategy=margin",
            "--data-dir=" + folder,
            "--budget=3");
    assertTrue(
        picks
            .out()
            .matches(
                "id,rank,score,cluster,predicted,reason,text\\n"
                    + "(T-\\d+,\\d,[\\d.E-]+,,(billing|office),.*the (invoice|printer).*\\n){3}"),
        picks.out());
    for (String row : picks.out().lines().skip(1).toList()) {
      int ticket = Integer.parseInt(row.substring(2, row.indexOf(',')));
      assertTrue(ticket >= 60, "unlabelled: " + row);
    }
    Path tasks = folder.resolve("tasks.json");
    succeed(
        "select",
        "--texts=" + folder.resolve("tickets.csv"),
        "--id-column=ticket",
        "--strategy=coreset",
        "--features=ngrams",
        "--budget=2",
        "--output=" + tasks);
    assertTrue(Files.readString(tasks).contains("\"text\" : \"the "), Files.readString(tasks));
  }

  @Test
  void readsTextFiles() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines.txt"), "one\n\ntwo words\r\nthree\n");
    succeed("embed", "--data=" + lines, "--features=ngrams", "--output=" + in("lines"));
    assertEquals(
        "id,item\n0,line 1\n1,line 3\n2,line 4\n",
        Files.readString(folder.resolve("lines/items.csv")));
    for (String team : List.of("billing", "office")) {
      Files.createDirectories(folder.resolve("teams").resolve(team));
      for (int i = 0; i < 10; i++) {
        Files.writeString(
            folder.resolve("teams").resolve(team).resolve(i + ".txt"), team + " text " + i);
      }
    }
    CommandOutcome trained =
        succeed(
            "train",
            "--data=" + folder.resolve("teams"),
            "--features=ngrams",
            "--network=linear",
            "--output=" + in("teams.safetensors"));
    assertTrue(trained.out().contains("teams: 2 classes, a pool of 18 items"), trained.out());
    TrainTest.assertFails(
        3,
        "lines.txt: the items have no classes",
        "train",
        "--data=" + lines,
        "--features=ngrams",
        "--network=linear");
  }

  @Test
  void numbersMayBelongToTexts() throws IOException {
    StringBuilder table = new StringBuilder("row_id,body,age,year,label\n");
    for (int i = 0; i < 60; i++) {
      table.append("%d,same text,%d,2026,%s%n".formatted(i, i % 2 * 40 + i % 5, i % 2));
    }
    Path file = Files.writeString(folder.resolve("ages.csv"), table);
    CommandOutcome trained =
        succeed(
            "train",
            "--data=" + file,
            "--text-column=body",
            "--number-columns=row_id,age,year",
            "--features=ngrams",
            "--network=linear",
            "--output=" + in("ages.safetensors"));
    assertTrue(trained.out().contains("test accuracy     100.0 %"), trained.out());
    assertTrue(
        trained.err().contains("Column 'row_id' is not used as a feature, because it looks like"),
        trained.err());
    assertTrue(
        trained.err().contains("Column 'year' is not used as a feature, because it has the same"),
        trained.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Latin-1 | line 3: expected text in UTF-8
          NUL     | line 3: found a NUL character
          quote   | line 3: unterminated quoted field
          """)
  void rejectsDamagedTables(String damage, String message) throws IOException {
    String field =
        switch (damage) {
          case "NUL" -> "a" + (char) 0;
          case "quote" -> "\"open";
          default -> "caf" + (char) 0xe9;
        };
    String text = "body,label\nfine,a\n" + field + ",b\nmore,a\nother,b\n";
    Path file = Files.write(folder.resolve("bad.csv"), text.getBytes(StandardCharsets.ISO_8859_1));
    for (String[] command :
        new String[][] {
          {
            "train",
            "--data=" + file,
            "--text-column=body",
            "--network=linear",
            "--output=" + in("bad.safetensors")
          },
          {"embed", "--data=" + file, "--text-column=body", "--output=" + in("bad")},
          {"select", "--texts=" + file, "--text-column=body", "--budget=1", "--strategy=random"}
        }) {
      TrainTest.assertFails(3, "bad.csv, " + message, command);
    }
  }

  @Test
  void textsThatAreAllEqualAreNoted() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("same.csv"), "body,label\n" + "same,a\nsame,b\n".repeat(20));
    CommandOutcome trained =
        succeed(
            "train",
            "--data=" + file,
            "--text-column=body",
            "--features=ngrams",
            "--network=linear",
            "--epochs=5",
            "--output=" + in("same.safetensors"));
    assertTrue(
        trained.err().contains("All texts have the same features, so nothing can be learnt"),
        trained.err());
  }

  @Test
  void rejectsWrongRolesOfColumns() throws IOException {
    String texts = "--texts=" + tickets();
    String[] rest = {"--budget=1", "--strategy=random", "--features=ngrams"};
    for (String role : List.of("id", "label")) {
      TrainTest.assertFails(
          3,
          "column 'body' cannot be the text and the " + (role.equals("id") ? "id" : "class"),
          Stream.concat(
                  Stream.of("select", texts, "--text-column=body", "--" + role + "-column=body"),
                  Stream.of(rest))
              .toArray(String[]::new));
    }
    Path lines = Files.writeString(folder.resolve("lines.txt"), "one\ntwo\n");
    TrainTest.assertFails(
        2,
        "--text-column applies only to tables.",
        Stream.concat(
                Stream.of("select", "--texts=" + lines, "--text-column=body"), Stream.of(rest))
            .toArray(String[]::new));
    Files.writeString(lines, "one\nt\0wo\n");
    TrainTest.assertFails(
        3,
        "lines.txt, line 2: found a NUL character",
        Stream.concat(Stream.of("select", "--texts=" + lines), Stream.of(rest))
            .toArray(String[]::new));
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
        3,
        "'resnet18-imagenet' is neither minilm, ngrams nor a folder or .onnx file with a text"
            + " encoder.",
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
