package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelledTableTest {
  @TempDir Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("own.csv"), text);
  }

  @Test
  void readsATable() throws IOException {
    StringBuilder text = new StringBuilder("width,species,height\n");
    for (int i = 0; i < 20; i++) {
      text.append(i).append(i % 2 == 0 ? ",rose," : ",daisy,").append(100 + i).append('\n');
    }
    Dataset set = read(write(text.toString()), "species");
    assertEquals(List.of("daisy", "rose"), set.classNames());
    assertEquals(18, set.pool().size());
    assertEquals(2, set.test().size());
    assertEquals(InputShape.table(2), set.shape());
    assertEquals(Scaling.none(set.shape()), set.scaling());
    float[] row = new float[2];
    for (int i = 0; i < 18; i++) {
      set.pool().inputs().read(i, row, 0);
      assertEquals(row[0] + 100, row[1]);
      assertEquals(row[0] % 2 == 0 ? 1 : 0, set.pool().labels()[i]);
    }
  }

  private static Dataset read(Path file, String label) {
    return LabelledTable.read(file, new LabelledTable.Columns(label, null, List.of()));
  }

  @Test
  void keepsRowsWithoutAClassAsUnlabelledItems() throws IOException {
    StringBuilder text = new StringBuilder("name,x,label,note\n");
    for (int i = 0; i < 40; i++) {
      String label = i % 2 == 1 ? "" : i % 4 == 0 ? "a" : "b";
      text.append("item ").append(i).append(',').append(i).append(',').append(label);
      text.append(",text\n");
    }
    Dataset set =
        LabelledTable.read(
            write(text.toString()), new LabelledTable.Columns(null, "name", List.of("note")));
    assertEquals(InputShape.table(1), set.shape());
    assertEquals(36, set.pool().size());
    assertTrue(set.test().size() < 4, "held-out rows without a class are dropped");
    assertEquals(20, set.labelledItems().length + set.test().size());
    float[] row = new float[1];
    for (int i = 0; i < 36; i++) {
      set.pool().inputs().read(i, row, 0);
      assertEquals("item " + (int) row[0], set.pool().inputs().id(i));
      assertEquals(row[0] % 2 == 1, set.pool().labels()[i] == Dataset.UNLABELLED);
    }
  }

  /** Labelling a row must not change the index of any other row. */
  @Test
  void keepsThePoolWhenLabelsAreAdded() throws IOException {
    String[] labels = new String[60];
    for (int i = 0; i < 60; i++) {
      labels[i] = i % 3 == 0 ? i % 2 == 0 ? "a" : "b" : "";
    }
    String fingerprint = read(write(table(labels)), null).fingerprint();
    for (int i = 0; i < 60; i++) {
      if (labels[i].isEmpty()) {
        labels[i] = "a";
        assertEquals(fingerprint, read(write(table(labels)), null).fingerprint(), "row " + i);
      }
    }
  }

  private static String table(String[] labels) {
    StringBuilder text = new StringBuilder("x,label\n");
    for (int i = 0; i < labels.length; i++) {
      text.append(i).append(',').append(labels[i]).append('\n');
    }
    return text.toString();
  }

  @Test
  void rejectsMissingAndDuplicateIds() throws IOException {
    LabelledTable.Columns columns = new LabelledTable.Columns(null, "n", List.of());
    for (String[] bad :
        new String[][] {
          {"n,x,label\nr1,1,a\nr1,2,b\n", "line 3: column n is 'r1' as in line 2"},
          {"n,x,label\nr1,1,a\n ,2,b\n", "line 3: column n is empty"}
        }) {
      Path file = write(bad[0]);
      DataException e = assertThrows(DataException.class, () -> LabelledTable.read(file, columns));
      assertTrue(e.getMessage().contains(bad[1]), e.getMessage());
    }
  }

  @Test
  void fingerprintDependsOnThePoolButNotOnLabels() throws IOException {
    String text = "x,label\n1,a\n2,b\n3,\n";
    String fingerprint = read(write(text), null).fingerprint();
    assertEquals(fingerprint, read(write("x,label\n1,a\n2,b\n3,a\n"), null).fingerprint());
    for (String other :
        List.of("x,label\n2,b\n1,a\n3,\n", "x,label\n1,a\n2,b\n4,\n", "x,label\n1,a\n2,b\n")) {
      assertNotEquals(fingerprint, read(write(other), null).fingerprint());
    }
  }

  @Test
  void sortsNumericClassesByValue() throws IOException {
    Dataset set = read(write("x,label\n1,10\n2,9\n3,-1\n"), null);
    assertEquals(List.of("-1", "9", "10"), set.classNames());
  }

  @Test
  void rejectsInvalidTables() throws IOException {
    assertMessage(
        "no column 'label' or 'class' or 'target' or 'y'; the columns are a, b",
        write("a,b\n1,2\n"),
        null);
    assertMessage("no column 'c'; the columns are a, b", write("a,b\n1,2\n"), "c");
    assertMessage("line 2", write("a,b\none,2\n"), "b");
    assertMessage(
        "expected at least two classes in column b, found only '2'", write("a,b\n1,2\n"), "b");
    assertMessage("expected at least two classes in column b, found none", write("a,b\n"), "b");
    assertMessage("expected columns of numbers in addition to 'label'", write("label\n1\n"), null);
  }

  private static void assertMessage(String expected, Path file, String column) {
    DataException e = assertThrows(DataException.class, () -> read(file, column));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
    assertTrue(e.getMessage().contains("own.csv"), e.getMessage());
  }
}
