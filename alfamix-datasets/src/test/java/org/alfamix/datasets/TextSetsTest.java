package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextSetsTest {
  @TempDir private Path folder;

  @Test
  void banking77HasItsOfficialTestSet() {
    Dataset set = Datasets.open("banking77", folder);
    assertEquals(77, set.classes());
    assertEquals(10_003, set.pool().size());
    assertEquals(3_080, set.test().size());
    assertEquals(InputShape.text(), set.shape());
    assertEquals("I am still waiting on my card?", set.pool().inputs().text(0));
    assertEquals("card_arrival", set.classNames().get(set.pool().labels()[0]));
    assertEquals(
        77, IntStream.of(set.test().labels()).distinct().count(), "classes of the test set");
  }

  private Path gzip(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return file;
  }

  @Test
  void trecHasCoarseAndFineClasses() throws IOException {
    Path train =
        gzip("train.gz", "LOC:city Where is Málaga ?\nNUM:date When ?\nLOC:other Where ?\n");
    Path test = gzip("test.gz", "LOC:other Where to ?\n");
    Dataset coarse = TextSets.trec("trec", train, test, false);
    assertEquals(List.of("LOC", "NUM"), coarse.classNames());
    assertEquals("Where is Málaga ?", coarse.pool().inputs().text(0));
    Dataset fine = TextSets.trec("trec-fine", train, test, true);
    assertEquals(List.of("LOC:city", "LOC:other", "NUM:date"), fine.classNames());
    assertEquals(1, fine.test().labels()[0]);
    DataException error =
        assertThrows(
            DataException.class,
            () ->
                TextSets.trec("trec", gzip("bad.gz", "LOC:city Where ?\nno class\n"), test, true));
    assertTrue(
        error
            .getMessage()
            .endsWith("line 2: expected CLASS:subclass and a question, found 'no class'."),
        error.getMessage());
  }

  @Test
  void aTableMayHaveATextColumn() throws IOException {
    StringBuilder table = new StringBuilder("id,body,team,opened\n");
    for (int i = 0; i < 40; i++) {
      table.append("T-%d,\"line one,%nline %d\",%s,2026-01-01%n".formatted(i, i, i % 2));
    }
    table.append("T-40,,,2026-01-02\n");
    Path file = Files.writeString(folder.resolve("tickets.csv"), table);
    DatasetReader reader = new DatasetReader(folder, DownloadListeners.SILENT);
    Map<String, String> columns =
        Map.of("text-column", "body", "label-column", "team", "id-column", "id");
    Dataset set = reader.read(file.toString(), columns);
    assertEquals(InputShape.text(), set.shape());
    assertEquals(List.of("0", "1"), set.classNames());
    int[] labelled = set.labelledItems();
    int first = labelled[0];
    String id = set.pool().inputs().id(first);
    assertEquals(
        "line one,%nline %s".formatted(id.substring(2)).replace("\r", ""),
        set.pool().inputs().text(first).replace("\r", ""));
    assertTrue(
        IntStream.range(0, set.pool().size()).anyMatch(i -> set.pool().inputs().text(i).isEmpty()),
        "a row without a text");

    InvalidRequestException ignored =
        assertThrows(
            InvalidRequestException.class,
            () ->
                reader.read(
                    file.toString(), Map.of("text-column", "body", "ignore-columns", "opened")));
    assertEquals("ignore-columns applies only to tables of numbers.", ignored.getMessage());
    DataException twice =
        assertThrows(
            DataException.class,
            () ->
                reader.read(
                    file.toString(), Map.of("text-column", "team", "label-column", "team")));
    assertTrue(
        twice.getMessage().endsWith("column 'team' cannot be the text and the class."),
        twice.getMessage());
    DataException missing =
        assertThrows(
            DataException.class,
            () ->
                reader.read(
                    file.toString(), Map.of("text-column", "text", "label-column", "team")));
    assertTrue(
        missing.getMessage().endsWith("no column 'text'; the columns are id, body, team, opened."),
        missing.getMessage());
  }

  @Test
  void checksumAndFingerprintDependOnTheTexts() {
    Dataset one = set("a", "b");
    assertEquals(one.checksum(), set("a", "b").checksum());
    assertNotEquals(one.checksum(), set("a", "c").checksum());
    assertNotEquals(one.checksum(), set("ab", "").checksum());
    assertNotEquals(one.fingerprint(), set("a", "c").fingerprint());
    UnsupportedOperationException unsupported =
        assertThrows(
            UnsupportedOperationException.class,
            () -> one.pool().inputs().read(0, new float[1], 0));
    assertEquals("Texts have no values; compute features first.", unsupported.getMessage());
  }

  private static Dataset set(String... texts) {
    Dataset.Part part =
        new Dataset.Part(new TextInputs(List.of(texts), null), new int[texts.length]);
    return new Dataset("texts", List.of("x", "y"), part, part, Scaling.none(InputShape.text()));
  }
}
