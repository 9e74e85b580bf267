package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetsTest {
  @TempDir Path folder;

  @Test
  void everyEntryIsComplete() {
    Set<String> names = new HashSet<>();
    for (DatasetEntry entry : Datasets.all()) {
      assertTrue(names.add(entry.name()), entry.name());
      assertTrue(entry.classes() >= 2 && entry.pool() > 0, entry.name());
      assertFalse(entry.licence().isBlank() || entry.citation().isBlank(), entry.name());
      for (DatasetEntry.Form form : entry.forms()) {
        assertFalse(form.sources().isEmpty(), entry.name());
        for (DataFile file : form.files()) {
          assertTrue(file.sha256() == null || file.sha256().matches("[0-9a-f]{64}"), file.name());
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "letter",
        "digits",
        "poker",
        "poker-sorted",
        "poker-sorted-integers",
        "poker-sorted-cast"
      })
  void builtInDataSetsMatchTheirEntries(String name) {
    assertMatchesEntry(name, folder);
  }

  private static Dataset assertMatchesEntry(String name, Path folder) {
    DatasetEntry entry = Datasets.named(name).orElseThrow();
    Dataset set = Datasets.read(entry, entry.find(folder).orElseThrow());
    assertEquals(entry.classes(), set.classes());
    assertEquals(entry.pool(), set.pool().size());
    assertEquals(entry.test(), set.test().size());
    assertEquals(entry.classes(), Arrays.stream(set.test().labels()).distinct().count(), 2);
    return set;
  }

  @Test
  void letterHasAFixedSplitWithoutOverlap() {
    DatasetEntry entry = Datasets.named("letter").orElseThrow();
    Dataset set = Datasets.read(entry, entry.find(folder).orElseThrow());
    Dataset again = Datasets.read(entry, entry.find(folder).orElseThrow());
    assertArrayEquals(set.test().labels(), again.test().labels());
    Set<String> rows = new HashSet<>();
    for (int i = 0; i < set.pool().size(); i++) {
      rows.add(set.pool().inputs().describe(i));
    }
    for (int i = 0; i < set.test().size(); i++) {
      assertTrue(rows.add(set.test().inputs().describe(i)));
    }
    assertEquals(20_000, rows.size());
  }

  @Test
  void findsFashionMnistOfTheDebianPackage() {
    DatasetEntry entry = Datasets.named("fashion-mnist").orElseThrow();
    Assumptions.assumeTrue(
        entry.find(folder).isPresent(), "skipped: the Debian package is not installed");
    assertMatchesEntry("fashion-mnist", folder);
  }

  @Test
  void readsRealArabicLettersUpright() throws IOException {
    Path file = SharedData.file("arabic-letters/ahcd-csv.zip");
    Path own = Files.createDirectories(folder.resolve("arabic-letters"));
    Files.copy(file, own.resolve("ahcd-csv.zip"));
    Dataset set = assertMatchesEntry("arabic-letters", folder);
    // The first letter is an alef, a stroke from top to bottom.
    float[] image = new float[1024];
    set.pool().inputs().read(0, image, 0);
    int rows = 0;
    int columns = 0;
    for (int i = 0; i < 32; i++) {
      boolean row = false;
      boolean column = false;
      for (int j = 0; j < 32; j++) {
        row |= image[i * 32 + j] > 128;
        column |= image[j * 32 + i] > 128;
      }
      rows += row ? 1 : 0;
      columns += column ? 1 : 0;
    }
    assertTrue(rows > 2 * columns, rows + " rows, " + columns + " columns");
    assertEquals("alef", set.classNames().get(set.pool().labels()[0]));
  }
}
