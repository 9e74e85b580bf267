package org.alfamix.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The numbers that are printed in the paper: A. Parvaneh et al., "Active learning by feature
 * mixing", CVPR 2022, its tables 1 (videos) and 2 (times), and the table of its supplement
 * (percentages).
 */
final class Paper {
  /** Rows by the values of their first columns, joined by a slash. */
  private static final Map<String, Map<String, Double>> PERCENTAGES = read("percentages.csv", 2);

  private static final Map<String, Map<String, Double>> TIMES = read("times.csv", 2);
  private static final Map<String, Map<String, Double>> ACCURACIES = read("accuracies.csv", 3);

  private Paper() {}

  /** Returns the percentage of rounds that ALFA-Mix wins against a method. */
  static OptionalDouble percentage(String factor, String level, String method) {
    return find(PERCENTAGES, factor + "/" + level, method);
  }

  /** Returns the rows of the table of percentages, each as factor and level. */
  static List<String[]> groups() {
    return PERCENTAGES.keySet().stream().map(key -> key.split("/", 2)).toList();
  }

  /** Returns the seconds to select a batch. */
  static Cell seconds(String setting, String method) {
    return cell(TIMES.get(setting + "/" + method), "seconds", 0);
  }

  /** Returns test accuracy in per cent. */
  static Cell accuracy(String setting, String method, int labels) {
    return cell(ACCURACIES.get(setting + "/" + method + "/" + labels), "accuracy", 1);
  }

  private static Cell cell(Map<String, Double> row, String column, int decimals) {
    return row == null
        ? Cell.EMPTY
        : Cell.spread(row.get(column), row.get("deviation"), 2, decimals);
  }

  private static OptionalDouble find(
      Map<String, Map<String, Double>> table, String key, String column) {
    Double value = table.getOrDefault(key, Map.of()).get(column);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static Map<String, Map<String, Double>> read(String resource, int keys) {
    List<String[]> rows = resource(resource).lines().map(line -> line.split(",")).toList();
    Map<String, Map<String, Double>> table = new LinkedHashMap<>();
    for (String[] row : rows.subList(1, rows.size())) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (int c = keys; c < row.length; c++) {
        values.put(rows.get(0)[c], Double.valueOf(row[c]));
      }
      table.put(Arrays.stream(row, 0, keys).collect(Collectors.joining("/")), values);
    }
    return table;
  }

  static String resource(String name) {
    try (InputStream in = Paper.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
