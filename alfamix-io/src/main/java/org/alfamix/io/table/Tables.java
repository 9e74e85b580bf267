package org.alfamix.io.table;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens tables by the ending of their file. */
public final class Tables {
  private Tables() {}

  /** Whether a file of this name is a table: CSV, JSON lines or Parquet. */
  public static boolean isTable(Path file) {
    return isCsv(file) || isJsonLines(file) || isParquet(file);
  }

  static boolean isCsv(Path file) {
    return hasEnding(file, ".csv", ".tsv", ".csv.gz", ".tsv.gz");
  }

  static boolean isJsonLines(Path file) {
    return hasEnding(file, ".jsonl", ".ndjson");
  }

  /** Whether a file of this name is a Parquet file. */
  public static boolean isParquet(Path file) {
    return hasEnding(file, ".parquet");
  }

  private static boolean hasEnding(Path file, String... endings) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return List.of(endings).stream().anyMatch(name::endsWith);
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

  /** What reads Parquet and SQL. */
  public static TableEngine engine() {
    return Engines.find(TableEngine.class)
        .orElseThrow(
            () ->
                new DataException(
                    "Parquet and SQL need the module alfamix-tables on the class path."));
  }
}
