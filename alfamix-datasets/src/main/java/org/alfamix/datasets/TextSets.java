package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Csv;

/** The named data sets of texts, with the test sets of their publishers. */
final class TextSets {
  private static final String TREC_CITATION =
      "X. Li, D. Roth, \"Learning question classifiers\", COLING 2002";

  private TextSets() {}

  static List<DatasetEntry> all() {
    return List.of(
        new DatasetEntry(
            "banking77",
            "customers' questions to a bank, by intent",
            77,
            10_003,
            3_080,
            "CC BY 4.0",
            "I. Casanueva, T. Temcinas, D. Gerz, M. Henderson, I. Vulic, \"Efficient intent"
                + " detection with dual sentence encoders\", NLP for ConvAI, 2020",
            List.of(
                new Form(
                    List.of(),
                    List.of(),
                    List.of(new Source.BuiltIn("included in the alfamix jar")),
                    folder -> banking77()))),
        trec("trec", "questions, by type of answer", false),
        trec("trec-fine", "questions, by fine type of answer", true));
  }

  private static DatasetEntry trec(String name, String items, boolean fine) {
    List<DataFile> files =
        List.of(
            new DataFile(
                "train_5500.label.gz",
                113_623,
                "316fe19e4f575b476275f29814f2f1e117cc1213be04ee77efc956fe69ecfd37"),
            new DataFile(
                "TREC_10.label.gz",
                7_643,
                "6998b70aef3018e13c882927f6ac895c80f443fc83ee9df5a315d7d7fe55a389"));
    return new DatasetEntry(
        name,
        items,
        fine ? 50 : 6,
        5_452,
        500,
        "no licence stated; published for research",
        TREC_CITATION,
        List.of(
            new Form(
                files,
                List.of("../trec"),
                List.of(new Source.ByHand("the authors' page, compressed with gzip")),
                folder ->
                    trec(
                        name,
                        folder.resolve(files.get(0).name()),
                        folder.resolve(files.get(1).name()),
                        fine))));
  }

  /** Texts with the names of their classes. */
  private record Named(List<String> texts, List<String> classes) {
    Named() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private static Dataset banking77() {
    return dataset("banking77", banking77("train"), banking77("test"));
  }

  private static Named banking77(String part) {
    String file = "banking77-" + part + ".csv.gz";
    Named named = new Named();
    try (InputStream in = TextSets.class.getResourceAsStream(file);
        Csv table = Csv.read(file, new GZIPInputStream(in))) {
      int text = table.requireColumn("text");
      int category = table.requireColumn("category");
      while (table.next()) {
        named.texts().add(table.text(text).strip());
        named.classes().add(table.text(category));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the embedded " + file + ".", e);
    }
    return named;
  }

  /** Reads lines such as {@code DESC:manner How did serfdom develop ?}, in Latin-1. */
  static Dataset trec(String name, Path train, Path test, boolean fine) {
    return dataset(name, trec(train, fine), trec(test, fine));
  }

  private static Named trec(Path file, boolean fine) {
    Named named = new Named();
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      int number = 0;
      for (String line : new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).split("\n")) {
        number++;
        int space = line.indexOf(' ');
        int colon = line.indexOf(':');
        if (colon < 1 || space < colon) {
          throw new DataException(
              "%s, line %d: expected CLASS:subclass and a question, found '%s'."
                  .formatted(file, number, line.substring(0, Math.min(40, line.length()))));
        }
        named.texts().add(line.substring(space + 1).strip());
        named.classes().add(line.substring(0, fine ? space : colon));
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
    return named;
  }

  private static Dataset dataset(String name, Named train, Named test) {
    List<String> classes = LabelledTable.sorted(train.classes());
    return new Dataset(
        name, classes, part(train, classes), part(test, classes), Scaling.none(InputShape.text()));
  }

  private static Part part(Named named, List<String> classes) {
    return new Part(
        new TextInputs(named.texts(), null),
        named.classes().stream().mapToInt(classes::indexOf).toArray());
  }
}
