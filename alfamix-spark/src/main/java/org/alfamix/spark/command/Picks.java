package org.alfamix.spark.command;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.alfamix.io.AtomicFiles;
import org.alfamix.io.table.Csv;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.PickList;
import org.alfamix.select.Pool;
import org.alfamix.strategy.Pick;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Picks as local files, in the formats of {@code select}. */
record Picks(List<Row> rows, String strategy) {

  /** Returns the picks as a list whose pool contains only them. */
  PickList list() {
    List<String> classes = new ArrayList<>();
    List<Pick> picks = new ArrayList<>();
    for (Row row : rows) {
      String predicted = row.getString(4);
      if (predicted != null && !classes.contains(predicted)) {
        classes.add(predicted);
      }
      picks.add(
          new Pick(
              picks.size(),
              row.getDouble(2),
              row.isNullAt(3) ? -1 : row.getInt(3),
              predicted == null ? -1 : classes.indexOf(predicted),
              row.getString(5)));
    }
    List<String> ids = rows.stream().map(row -> row.get(0).toString()).toList();
    return new PickList(Pool.of(FloatMatrix.zeros(ids.size(), 1), ids), picks, classes, strategy);
  }

  /** Writes one file, whereas Spark would write a folder. */
  void writeParquet(Dataset<Row> picks, Path file, AtomicFiles files) {
    writeOne(file, files, folder -> picks.coalesce(1).write().parquet(folder), ".parquet");
  }

  /** Writes all candidates with id and flip_cap; the driver holds one partition at a time. */
  static void writeCandidates(Dataset<Row> candidates, Path file, AtomicFiles files) {
    files.write(
        file,
        out -> {
          Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
          writer.write("id,flip_cap\n");
          for (Iterator<Row> rows = candidates.sort("id").toLocalIterator(); rows.hasNext(); ) {
            Row row = rows.next();
            writer.write(Csv.quoted(row.get(0).toString()) + "," + row.getDouble(1) + "\n");
          }
          writer.flush();
        });
  }

  @FunctionalInterface
  private interface FolderWriter {
    void write(String folder);
  }

  private static void writeOne(Path file, AtomicFiles files, FolderWriter writer, String ending) {
    files.writePath(
        file,
        temporary -> {
          Path folder = temporary.resolveSibling(temporary.getFileName() + ".parts");
          try {
            writer.write(folder.toUri().toString());
            Files.move(part(folder, ending), temporary, StandardCopyOption.REPLACE_EXISTING);
          } finally {
            delete(folder);
          }
        });
  }

  private static Path part(Path folder, String ending) throws IOException {
    try (Stream<Path> parts = Files.list(folder)) {
      return parts
          .filter(part -> part.getFileName().toString().startsWith("part-"))
          .filter(part -> part.toString().endsWith(ending))
          .findFirst()
          .orElseThrow(() -> new IOException(folder + ": Spark wrote no files to this folder."));
    }
  }

  private static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
