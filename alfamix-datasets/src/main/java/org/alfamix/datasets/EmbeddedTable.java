package org.alfamix.datasets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.alfamix.math.FloatMatrix;

/** The data sets included in the jar, for demos and tests. */
public enum EmbeddedTable {
  /**
   * UCI letter recognition: 20,000 printed letters as 16 integers from 0 to 15. P. W. Frey and D.
   * J. Slate, "Letter recognition using Holland-style adaptive classifiers", Machine Learning 6,
   * 1991.
   */
  LETTER("letters A to Z", true, true),

  /**
   * UCI optical recognition of handwritten digits, its test part: 1,797 images of 8 × 8 values from
   * 0 to 16. E. Alpaydin and C. Kaynak, 1998.
   */
  DIGITS("handwritten digits", false, false);

  private final String description;
  private final boolean hasHeader;
  private final boolean labelFirst;

  EmbeddedTable(String description, boolean hasHeader, boolean labelFirst) {
    this.description = description;
    this.hasHeader = hasHeader;
    this.labelFirst = labelFirst;
  }

  /** Returns the identifier, such as {@code letter}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns a description of the items. */
  public String description() {
    return description;
  }

  /** Reads the whole table; classes are numbered in the order of their names. */
  public Table read() {
    List<String[]> rows = rows();
    int columns = rows.get(0).length;
    int labelColumn = labelFirst ? 0 : columns - 1;
    TreeSet<String> names = new TreeSet<>();
    for (String[] row : rows) {
      names.add(row[labelColumn]);
    }
    List<String> classNames = List.copyOf(names);
    FloatMatrix features = FloatMatrix.zeros(rows.size(), columns - 1);
    int[] labels = new int[rows.size()];
    for (int i = 0; i < labels.length; i++) {
      String[] row = rows.get(i);
      labels[i] = classNames.indexOf(row[labelColumn]);
      for (int c = 0, d = 0; c < columns; c++) {
        if (c != labelColumn) {
          features.set(i, d++, Float.parseFloat(row[c]));
        }
      }
    }
    return new Table(id(), features, labels, classNames);
  }

  private List<String[]> rows() {
    String file = id() + ".csv.gz";
    try (InputStream in = EmbeddedTable.class.getResourceAsStream(file);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.US_ASCII))) {
      return reader
          .lines()
          .skip(hasHeader ? 1 : 0)
          .filter(line -> !line.isBlank())
          .map(line -> line.replace("\"", "").split(","))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the embedded " + file + ".", e);
    }
  }
}
