package org.alfamix.lab.setting;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads tables of the paper from test resources. */
public final class PaperTables {
  private PaperTables() {}

  /** Reads a table; rows map the names of columns to cells. */
  public static List<Map<String, String>> read(String name) throws IOException {
    List<Map<String, String>> rows = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                PaperTables.class.getResourceAsStream("/paper/" + name), StandardCharsets.UTF_8))) {
      in.readLine(); // the source of the table
      String[] columns = cells(in.readLine());
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] cells = cells(line);
        Map<String, String> row = new LinkedHashMap<>();
        for (int c = 0; c < columns.length; c++) {
          row.put(columns[c], cells[c]);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** Splits a line at commas outside quotes. */
  private static String[] cells(String line) {
    String[] cells = line.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");
    for (int c = 0; c < cells.length; c++) {
      cells[c] = cells[c].replace("\"", "");
    }
    return cells;
  }
}
