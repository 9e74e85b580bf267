package org.alfamix.io.table;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens tables; the file extension determines the format. */
public final class Tables {
  private Tables() {}

  /** Returns whether the file extension is that of a table: CSV, JSON Lines or Parquet. */
  public static boolean isTable(Path file) {
    return isCsv(file) || isJsonLines(file) || isParquet(file);
  }

  static boolean isCsv(Path file) {
    return hasExtension(file, ".csv", ".tsv", ".csv.gz", ".tsv.gz");
  }

  static boolean isJsonLines(Path file) {
    return hasExtension(file, ".jsonl", ".ndjson");
  }

  /** Returns whether the file extension is that of a Parquet file. */
  public static boolean isParquet(Path file) {
    return hasExtension(file, ".parquet");
  }

  private static boolean hasExtension(Path file, String... extensions) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return List.of(extensions).stream().anyMatch(name::endsWith);
  }

  /** Opens a table. */
  public static TableSource open(Path file) {
    if (isCsv(file)) {
      return Csv.open(file);
    }
    if (isJsonLines(file)) {
      return JsonLines.open(file);
    }
    if (isParquet(file)) {
      if (!Files.exists(file)) {
        throw new DataException(file + ": no such file.");
      }
      return engine().openParquet(file);
    }
    throw new DataException(file + ": expected .csv, .tsv, .jsonl or .parquet.");
  }

  /** Returns the engine for Parquet and SQL. */
  public static TableEngine engine() {
    return Engines.find(TableEngine.class)
        .orElseThrow(
            () ->
                new DataException(
                    "Parquet and SQL require the module alfamix-tables on the class path."));
  }
}
