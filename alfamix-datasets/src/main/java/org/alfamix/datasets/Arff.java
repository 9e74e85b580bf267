package org.alfamix.datasets;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;

/** Reads ARFF tables (OpenML, Weka) with numeric columns, and the class in the last column. */
final class Arff {
  private static final Pattern ATTRIBUTE =
      Pattern.compile("@attribute\\s+('[^']*'|\"[^\"]*\"|\\S+)\\s+(.*)", Pattern.CASE_INSENSITIVE);

  private final Path file;
  private final List<String> types = new ArrayList<>();
  private int line;

  private Arff(Path file) {
    this.file = file;
  }

  /** All rows of a table, in order. */
  record Rows(List<String> classNames, Part part) {}

  static Rows read(Path file) {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      Arff reader = new Arff(file);
      reader.header(in);
      return reader.rows(in);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private void header(BufferedReader in) throws IOException {
    for (String text = next(in); text != null; text = next(in)) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.startsWith("@data")) {
        if (types.size() < 2 || !types.get(types.size() - 1).startsWith("{")) {
          throw error("expected attributes before @data, the last one a {list} of classes");
        }
        return;
      }
      if (lower.startsWith("@attribute")) {
        Matcher matcher = ATTRIBUTE.matcher(text);
        if (!matcher.matches()) {
          throw error("expected @attribute NAME TYPE");
        }
        types.add(matcher.group(2).strip());
      } else if (!lower.startsWith("@relation")) {
        throw error("expected @relation, @attribute or @data");
      }
    }
    throw new DataException(file + ": expected a line with @data.");
  }

  private Rows rows(BufferedReader in) throws IOException {
    String list = types.get(types.size() - 1);
    List<String> classes =
        Arrays.stream(list.replaceAll("^\\{|\\}$", "").split(",")).map(Arff::unquoted).toList();
    int columns = types.size() - 1;
    List<float[]> rows = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (String text = next(in); text != null; text = next(in)) {
      String[] fields = text.split(",");
      if (fields.length != types.size()) {
        throw error("expected %d values, found %d".formatted(types.size(), fields.length));
      }
      float[] row = new float[columns];
      for (int d = 0; d < columns; d++) {
        try {
          row[d] = Float.parseFloat(unquoted(fields[d]));
        } catch (NumberFormatException e) {
          throw error("expected a number in column %d, found '%s'".formatted(d + 1, fields[d]));
        }
      }
      int label = classes.indexOf(unquoted(fields[columns]));
      if (label < 0) {
        throw error("expected a class of %s, found '%s'".formatted(list, fields[columns].strip()));
      }
      rows.add(row);
      labels.add(label);
    }
    FloatMatrix features = FloatMatrix.zeros(rows.size(), columns);
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.get(i), 0, features.array(), features.rowOffset(i), columns);
    }
    return new Rows(
        classes,
        new Part(new RowInputs(features), labels.stream().mapToInt(Integer::intValue).toArray()));
  }

  /** Returns the next line that is neither empty nor a comment, or null. */
  private String next(BufferedReader in) throws IOException {
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      String stripped = text.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("%")) {
        return stripped;
      }
    }
    return null;
  }

  private static String unquoted(String text) {
    return text.strip().replaceAll("^(['\"])(.*)\\1$", "$2");
  }

  private DataException error(String problem) {
    return new DataException("%s, line %d: %s.".formatted(file, line, problem));
  }
}
