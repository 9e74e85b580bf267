package org.alfamix.select;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ElementType;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.NumericArray;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;

/**
 * Items that must not be picked.
 *
 * @param rows their rows in the pool
 * @param unknown number of ids of the file that are not in the pool
 */
public record Exclusions(int[] rows, int unknown) {

  /**
   * Reads ids: a table with a column of ids, an {@code .npy} of row numbers or a mask of the pool,
   * or any other text file with one id per line. Unknown ids are counted rather than rejected, so
   * that one list may serve many pools.
   *
   * @throws DataException if none of the ids is in the pool
   */
  public static Exclusions read(Path file, Pool pool, String idColumn) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    if (file.getFileName().toString().endsWith(".npy")) {
      return new Exclusions(rows(Npy.open(file), pool), 0);
    }
    List<String> ids = ids(file, idColumn);
    int[] rows =
        ids.stream()
            .map(pool::row)
            .filter(OptionalInt::isPresent)
            .mapToInt(OptionalInt::getAsInt)
            .toArray();
    if (rows.length == 0 && !ids.isEmpty()) {
      throw new DataException(
          "%s: none of its %d ids is in the pool, for example '%s'."
              .formatted(file, ids.size(), ids.get(0)));
    }
    return new Exclusions(IntStream.of(rows).distinct().toArray(), ids.size() - rows.length);
  }

  private static int[] rows(NumericArray array, Pool pool) {
    if (array.type() == ElementType.BOOL) {
      if (array.size() != pool.size()) {
        throw new DataException(
            "%1$s: expected a mask of %3$d values, one per item of the pool, found %2$d."
                .formatted(array.name(), array.size(), pool.size()));
      }
      boolean[] mask = array.requireDimensions(1).readBooleans();
      return IntStream.range(0, mask.length).filter(row -> mask[row]).toArray();
    }
    long[] rows = array.requireDimensions(1).readLongs();
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] < 0 || rows[i] >= pool.size()) {
        throw new DataException(
            "%s: value %d is %d, expected a row of the pool, 0 to %d."
                .formatted(array.name(), i, rows[i], pool.size() - 1));
      }
    }
    return LongStream.of(rows).mapToInt(Math::toIntExact).distinct().toArray();
  }

  /** Reads the ids of a file, for any pool. */
  public static List<String> ids(Path file, String idColumn) {
    List<String> ids = new ArrayList<>();
    if (Tables.isTable(file)) {
      try (TableSource table = Tables.open(file)) {
        int column = idColumn(table, idColumn);
        table.use(column);
        while (table.next()) {
          ids.add(TableColumns.required(table, column));
        }
      }
      return ids;
    }
    return TextLines.read(file);
  }

  /** Returns the column of ids: that of the pool, one with a common name, or the only column. */
  private static int idColumn(TableSource table, String named) {
    int column = named == null ? -1 : table.columns().indexOf(named);
    if (column < 0) {
      column = TableColumns.find(table, null, PoolReader.ID_COLUMNS);
    }
    if (column < 0 && table.columns().size() == 1) {
      column = 0;
    }
    if (column < 0) {
      throw new DataException(
          "%s: expected a column 'id', found the columns %s."
              .formatted(table.name(), TableColumns.list(table.columns())));
    }
    return column;
  }
}
