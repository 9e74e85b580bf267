package org.alfamix.select;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.io.array.LoadedRows;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.Npz;
import org.alfamix.io.array.RowsBuffer;
import org.alfamix.io.array.ShardedRows;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * Reads pools from files of all supported formats. Pools that fit into a share of the memory are
 * loaded; larger arrays stay in their files and are read in blocks, larger tables are copied to a
 * temporary file.
 *
 * @param array the array of an {@code .npz} to read; null for the only one with two dimensions
 * @param embeddingColumn the column of a table that holds lists of numbers; null to look for one
 * @param idColumn the column of a table that holds the ids; null to look for one
 * @param maxBytes maximum size of embeddings in memory, in bytes; larger pools stay on disk
 */
public record PoolReader(String array, String embeddingColumn, String idColumn, long maxBytes) {
  static final List<String> EMBEDDING_COLUMNS =
      List.of("embedding", "embeddings", "vector", "features");

  /** Common names of a column of ids, the most likely first. */
  public static final List<String> ID_COLUMNS =
      List.of("id", "ids", "file_path", "file_paths", "path");

  private static final List<String> ID_ARRAYS = List.of("file_paths", "ids", "id");

  /**
   * Returns a reader that finds arrays and columns by common names and uses up to a quarter of the
   * memory.
   */
  public static PoolReader standard() {
    return new PoolReader(null, null, null, defaultMaxBytes());
  }

  /** Returns a quarter of the memory. */
  public static long defaultMaxBytes() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  /** A pool that is being read: its rows, and its ids if it has any. */
  private record Part(Rows rows, List<String> ids) {}

  /** Returns the files of a location in the order in which they are read. */
  public static List<Path> files(String location) {
    if (location.isEmpty()) {
      throw new DataException("The location of the embeddings is empty, expected a path.");
    }
    Path path = path(location);
    if (path != null && Files.isDirectory(path)) {
      List<Path> shards = list(path, file -> isShard(file));
      if (shards.isEmpty()) {
        throw new DataException(
            location + ": expected .npy, .npz or .parquet files in this folder, found none.");
      }
      return shards;
    }
    if (path != null && Files.exists(path)) {
      return List.of(path);
    }
    if (location.matches(".*[*?\\[{].*")) {
      int slash = location.replace('\\', '/').lastIndexOf('/');
      Path folder = Path.of(slash < 0 ? "." : location.substring(0, Math.max(1, slash)));
      PathMatcher matcher = matcher(location, location.substring(slash + 1));
      if (!Files.isDirectory(folder)) {
        throw new DataException(
            folder.toString().matches(".*[*?\\[{].*")
                ? location + ": no such file; only the last part of a path can be a glob."
                : location + ": no such folder: " + folder + ".");
      }
      // As in a shell, hidden files only match a pattern that starts with a dot.
      boolean hidden = location.startsWith(".", slash + 1);
      List<Path> matches =
          list(folder, file -> matcher.matches(file.getFileName()) && (hidden || !isHidden(file)));
      if (matches.isEmpty()) {
        throw new DataException(location + ": no file matches.");
      }
      return matches;
    }
    throw new DataException(location + ": no such file.");
  }

  /** Returns a warning if part-10 comes before part-2, an order that may not be intended. */
  public static Optional<String> unexpectedOrder(List<Path> files) {
    for (int i = 1; i < files.size(); i++) {
      String before = files.get(i - 1).getFileName().toString();
      String after = files.get(i).getFileName().toString();
      String[] a = before.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");
      String[] b = after.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");
      int at = 0;
      while (at < Math.min(a.length, b.length) - 1 && a[at].equals(b[at])) {
        at++;
      }
      if (a[at].matches("\\d{1,18}")
          && b[at].matches("\\d{1,18}")
          && Long.parseLong(a[at]) > Long.parseLong(b[at])) {
        return Optional.of(
            "files are read in alphabetical order: %s before %s.".formatted(before, after));
      }
    }
    return Optional.empty();
  }

  private static PathMatcher matcher(String location, String glob) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + glob);
    } catch (PatternSyntaxException e) {
      throw new DataException(
          "%s: no such file and not a valid glob: %s.".formatted(location, e.getDescription()), e);
    }
  }

  private static Path path(String location) {
    try {
      return Path.of(location);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static boolean isShard(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    // File managers create hidden files.
    return !isHidden(file)
        && (name.endsWith(".npy") || name.endsWith(".npz") || name.endsWith(".parquet"));
  }

  private static boolean isHidden(Path file) {
    return file.getFileName().toString().startsWith(".");
  }

  private static List<Path> list(Path folder, Predicate<Path> wanted) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).filter(wanted).sorted().toList();
    } catch (IOException e) {
      throw new DataException(folder + ": cannot be listed: " + e.getMessage() + ".", e);
    }
  }

  /** Reads a file, all arrays or tables of a folder in the order of their names, or a glob. */
  public Pool read(String location) {
    return read(location, files(location));
  }

  /**
   * Reads files as one pool.
   *
   * @param location the location as the user gave it, for messages
   */
  public Pool read(String location, List<Path> files) {
    // The memory that one file leaves is available to the next.
    List<Part> parts = new ArrayList<>();
    long left = maxBytes;
    for (Path file : files) {
      Part part = readFile(file, left);
      if (part.rows().rows() > 0) {
        parts.add(part);
        left -=
            part.rows() instanceof LoadedRows ? 4L * part.rows().rows() * part.rows().columns() : 0;
      }
    }
    if (parts.isEmpty()) {
      throw emptyPool(location);
    }
    List<String> ids = null;
    long named = parts.stream().filter(part -> part.ids() != null).count();
    if (named > 0 && named < parts.size()) {
      throw new DataException(location + ": some files have ids and others do not.");
    }
    if (named > 0) {
      ids = new ArrayList<>();
      for (Part part : parts) {
        ids.addAll(part.ids());
      }
    }
    Rows rows =
        parts.size() == 1
            ? parts.get(0).rows()
            : new ShardedRows(parts.stream().map(Part::rows).toList());
    return pool(location, rows, ids);
  }

  /** Reads the answer to a query. */
  public Pool query(String sql) {
    try (TableSource table = Tables.engine().query(sql)) {
      Part part = readTable(table, maxBytes);
      return pool("SQL query", part.rows(), part.ids());
    }
  }

  private Pool pool(String location, Rows rows, List<String> ids) {
    if (rows.rows() == 0) {
      throw emptyPool(location);
    }
    if (rows.columns() == 0) {
      throw new DataException(location + ": the embeddings have no features.");
    }
    Rows loaded = LoadedRows.loadIfWithin(maxBytes, rows);
    return ids == null ? Pool.of(loaded) : Pool.of(loaded, ids);
  }

  private static DataException emptyPool(String location) {
    return new DataException(location + ": an empty pool, expected at least one embedding.");
  }

  private Part readFile(Path file, long maxBytes) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".npy")) {
      return new Part(Npy.open(file).rows(), null);
    }
    if (name.endsWith(".npz")) {
      return readNpz(file);
    }
    if (Tables.isTable(file)) {
      try (TableSource table = Tables.open(file)) {
        return readTable(table, maxBytes);
      }
    }
    throw new DataException(
        file + ": expected .npy, .npz, .csv, .tsv, .jsonl or .parquet, or a folder of arrays.");
  }

  private Part readNpz(Path file) {
    Npz npz = Npz.open(file);
    Rows rows = npz.array(array == null ? onlyMatrix(npz) : array).rows();
    Optional<String> idArray = ID_ARRAYS.stream().filter(npz.names()::contains).findFirst();
    if (idArray.isEmpty()) {
      return new Part(rows, null);
    }
    List<String> ids = List.of(npz.texts(idArray.get()));
    if (ids.size() != rows.rows()) {
      throw new DataException(
          "%s: %d values in %s, but %d embeddings."
              .formatted(file, ids.size(), idArray.get(), rows.rows()));
    }
    return new Part(rows, ids);
  }

  private static String onlyMatrix(Npz npz) {
    List<String> matrices =
        npz.names().stream()
            .filter(name -> npz.shape(name).filter(shape -> shape.length == 2).isPresent())
            .toList();
    if (matrices.size() == 1) {
      return matrices.get(0);
    }
    if (npz.names().size() == 1) {
      return npz.names().get(0); // reading it reports what is wrong
    }
    if (matrices.isEmpty()) {
      throw new DataException(
          "%s: no array of two dimensions among %s."
              .formatted(npz.name(), String.join(", ", npz.names())));
    }
    throw new DataException(
            "%s: several arrays of two dimensions (%s)."
                .formatted(npz.name(), String.join(", ", matrices)))
        .advise("name one", "array");
  }

  private Part readTable(TableSource table, long maxBytes) {
    if (table.columns().isEmpty()) {
      throw emptyPool(table.name());
    }
    int idAt = TableColumns.find(table, idColumn, ID_COLUMNS);
    int vectorAt = TableColumns.find(table, embeddingColumn, EMBEDDING_COLUMNS);
    int[] numbersAt = vectorAt >= 0 ? null : numericColumns(table);
    if (idAt >= 0) {
      table.orderBy(idAt);
    }
    table.use(
        IntStream.concat(
                IntStream.of(idAt),
                vectorAt >= 0 ? IntStream.of(vectorAt) : IntStream.of(numbersAt))
            .toArray());
    RowsBuffer rows = null;
    List<String> ids = idAt < 0 ? null : new ArrayList<>();
    while (table.next()) {
      float[] row = vectorAt >= 0 ? table.vector(vectorAt) : numbers(table, numbersAt);
      if (rows == null) {
        rows = new RowsBuffer(table.name(), row.length, maxBytes);
      }
      addRow(table, rows, row);
      if (ids != null) {
        ids.add(TableColumns.required(table, idAt));
      }
    }
    return rows == null ? new Part(FloatMatrix.zeros(0, 0), ids) : new Part(rows.finish(), ids);
  }

  private static void addRow(TableSource table, RowsBuffer rows, float[] row) {
    for (int d = 0; d < row.length; d++) {
      if (!Float.isFinite(row[d])) {
        throw new DataException(
            "%s, %s: value %d of the embedding is %s, expected a finite number."
                .formatted(table.name(), table.place(), d, Float.toString(row[d])));
      }
    }
    if (row.length != rows.columns()) {
      throw new DataException(
          "%s, %s: an embedding of %d values, expected %d as in the rows before."
              .formatted(table.name(), table.place(), row.length, rows.columns()));
    }
    rows.add(row);
  }

  /** The columns f0, f1, … */
  private static int[] numericColumns(TableSource table) {
    List<String> columns = table.columns();
    int[] result =
        IntStream.range(0, columns.size())
            .map(d -> columns.indexOf("f" + d))
            .takeWhile(at -> at >= 0)
            .toArray();
    if (result.length == 0) {
      throw new DataException(
              "%s: no embeddings among the columns %s; expected a column 'embedding', or f0, f1, …."
                  .formatted(table.name(), TableColumns.list(columns)))
          .advise("name the column", "embeddingColumn");
    }
    long all = columns.stream().filter(name -> name.matches("f\\d+")).count();
    if (all != result.length) {
      throw new DataException(
          "%s: column f%d is missing, but there are %d columns of that kind; expected f0 to f%d without gaps."
              .formatted(table.name(), result.length, all, all - 1));
    }
    return result;
  }

  private static float[] numbers(TableSource table, int[] columns) {
    float[] row = new float[columns.length];
    for (int d = 0; d < row.length; d++) {
      row[d] = table.number(columns[d]);
    }
    return row;
  }
}
