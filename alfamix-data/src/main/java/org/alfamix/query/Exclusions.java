package org.alfamix.query;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.alfamix.data.DataException;
import org.alfamix.data.array.Npy;
import org.alfamix.data.table.TableSource;
import org.alfamix.data.table.Tables;

/**
 * Items that must not be picked.
 *
 * @param rows their rows in the pool
 * @param unknown how many ids of the file the pool does not have
 */
public record Exclusions(int[] rows, int unknown) {

  /**
   * Reads ids: a table with a column of ids, an {@code .npy} of row numbers, or any other text file
   * with one id per line. Ids that the pool does not have are counted, not refused: one list may
   * serve many pools.
   *
   * @throws DataException where no id at all is of this pool
   */
  public static Exclusions read(Path file, Pool pool, String idColumn) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    List<String> ids = ids(file, idColumn);
    List<Integer> rows = new ArrayList<>();
    for (String id : ids) {
      OptionalInt row = pool.row(id);
      row.ifPresent(rows::add);
    }
    if (rows.isEmpty() && !ids.isEmpty()) {
      throw new DataException(
          "%s: none of its %d ids is in the pool, as '%s'."
              .formatted(file, ids.size(), ids.get(0)));
    }
    return new Exclusions(
        rows.stream().mapToInt(Integer::intValue).distinct().toArray(), ids.size() - rows.size());
  }

  private static List<String> ids(Path file, String idColumn) {
    List<String> ids = new ArrayList<>();
    if (file.getFileName().toString().endsWith(".npy")) {
      for (long row : Npy.open(file).requireDimensions(1).readLongs()) {
        ids.add(Long.toString(row));
      }
    } else if (Tables.isTable(file)) {
      try (TableSource table = Tables.open(file)) {
        int column = Math.max(0, TableColumns.find(table, idColumn, PoolReader.ID_COLUMNS));
        table.use(column);
        while (table.next()) {
          ids.add(TableColumns.required(table, column));
        }
      }
    } else {
      try {
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .forEach(ids::add);
      } catch (IOException e) {
        throw DataException.unreadable(file, e);
      }
    }
    return ids;
  }
}
