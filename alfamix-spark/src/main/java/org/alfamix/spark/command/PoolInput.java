package org.alfamix.spark.command;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.alfamix.command.SelectRequest;
import org.alfamix.io.DataException;
import org.alfamix.select.Exclusions;
import org.alfamix.select.Labels;
import org.alfamix.select.PoolReader;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The pool, read from files or a query, and its labelled items.
 *
 * @param labelColumn a column of the pool with labels, or null
 * @param labelled the labelled items with a column {@link #LABEL}, if labels are in a separate
 *     file; the pool then does not contain them. Otherwise null
 * @param excluded ids that must not be picked, in a column with the name that it has in the pool;
 *     or null
 */
record PoolInput(
    Dataset<Row> table,
    String idColumn,
    String embeddingColumn,
    String labelColumn,
    Dataset<Row> labelled,
    Dataset<Row> excluded) {
  /** A name that is unlikely to occur in the table of a user. */
  static final String LABEL = "alfamix label";

  private static final String KEY = "alfamix id";

  /** The maximum number of ids for a filter that lets Parquet skip pages. */
  private static final int MAX_LISTED = 10_000;

  /**
   * Reads the schema; with labels in a separate file, also the labelled items.
   *
   * @param checkIds whether to read the labelled items immediately and reject unknown ids
   */
  static PoolInput read(
      SparkSession spark, String location, String sql, SelectRequest request, boolean checkIds) {
    Dataset<Row> pool = sql != null ? spark.sql(sql) : table(spark, location);
    String id = column(pool, request.idColumn(), PoolReader.ID_COLUMNS, "--id-column");
    String embedding =
        column(pool, request.embeddingColumn(), List.of("embedding"), "--embedding-column");
    Dataset<Row> excluded =
        request.exclude() == null
            ? null
            : keys(spark, pool, id, excluded(spark, request.exclude(), request.idColumn()), null)
                .select(named(KEY).as(id));
    if (request.labelsFile() == null) {
      String label =
          request.labelColumn() == null
              ? null
              : column(pool, request.labelColumn(), List.of(), "--label-column");
      return new PoolInput(pool, id, embedding, label, null, excluded);
    }
    Map<String, String> labels = labels(spark, request);
    Dataset<Row> keys =
        keys(spark, pool, id, new ArrayList<>(labels.keySet()), new ArrayList<>(labels.values()));
    Dataset<Row> labelled =
        filterByIds(pool, id, keys).join(broadcast(keys), named(id).equalTo(named(KEY))).drop(KEY);
    if (checkIds) {
      labelled = labelled.persist();
      requireKnown(labelled.select(named(id)), labels.keySet(), request.labelsFile().toString());
    }
    Dataset<Row> rest = pool.join(broadcast(keys), named(id).equalTo(named(KEY)), "left_anti");
    return new PoolInput(rest, id, embedding, null, labelled, excluded);
  }

  /** Returns ids with their type in the pool, and labels; texts that cannot be ids are skipped. */
  private static Dataset<Row> keys(
      SparkSession spark, Dataset<Row> pool, String id, List<String> ids, List<String> labels) {
    boolean text = pool.schema().apply(id).dataType().equals(DataTypes.StringType);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      Object key = text ? ids.get(i) : number(ids.get(i));
      if (key != null) {
        rows.add(RowFactory.create(key, labels == null ? null : labels.get(i)));
      }
    }
    StructType schema =
        new StructType()
            .add(KEY, text ? DataTypes.StringType : DataTypes.LongType)
            .add(LABEL, DataTypes.StringType);
    return spark.createDataFrame(rows, schema);
  }

  /** Parses an integer in canonical form, which 007 is not; returns null for any other text. */
  private static Long number(String text) {
    try {
      long number = Long.parseLong(text);
      return Long.toString(number).equals(text) ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Filters a pool by ids if they are few, so that files and pages can be skipped. */
  private static Dataset<Row> filterByIds(Dataset<Row> pool, String id, Dataset<Row> keys) {
    Object[] listed =
        keys.select(quoted(KEY)).collectAsList().stream().map(row -> row.get(0)).toArray();
    return listed.length == 0 || listed.length > MAX_LISTED
        ? pool
        : pool.filter(named(id).isin(listed));
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private static Column named(String name) {
    return col(quoted(name));
  }

  /** Returns the given name of a column, or the first common name that exists. */
  private static String column(
      Dataset<Row> table, String given, List<String> usual, String option) {
    List<String> names = Arrays.asList(table.columns());
    if (names.isEmpty()) {
      throw new DataException("The table is empty: it has no columns.");
    }
    if (given != null) {
      if (!names.contains(given)) {
        throw new DataException(
            "No column '%s'; the columns are %s.".formatted(given, String.join(", ", names)));
      }
      return given;
    }
    return usual.stream()
        .filter(names::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "No column '%s' among %s; name the column with %s."
                        .formatted(usual.get(0), String.join(", ", names), option)));
  }

  /** Escapes glob characters in the path of an existing local file. */
  private static String escapeGlob(String location) {
    boolean pattern = location.matches(".*[*?{\\[\\]}].*") && !location.contains("://");
    return pattern && Files.exists(Path.of(location))
        ? location.replaceAll("[*?{\\[\\]}\\\\]", "\\\\$0")
        : location;
  }

  private static Dataset<Row> table(SparkSession spark, String given) {
    String location = escapeGlob(given);
    String name = location.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|bz2|zst|snappy)$", "");
    if (name.endsWith(".jsonl") || name.endsWith(".json")) {
      return spark.read().json(location);
    }
    if (name.endsWith(".orc")) {
      return spark.read().orc(location);
    }
    if (name.matches(".*\\.(npy|npz|csv|tsv|safetensors)")) {
      throw new DataException(
          location + ": expected .parquet, .orc or .jsonl; use 'alfamix select' for this format.");
    }
    return spark.read().parquet(location);
  }

  private static List<String> excluded(SparkSession spark, Path file, String idColumn) {
    if (isText(file)) {
      if (!Files.exists(file)) {
        throw new DataException(file + ": no such file.");
      }
      if (file.toString().endsWith(".npy")) {
        throw new DataException(
            file + ": row numbers are not supported because tables have none; expected ids.");
      }
      return Exclusions.ids(file, idColumn);
    }
    Dataset<Row> table = table(spark, file.toString());
    String id = column(table, idColumn, PoolReader.ID_COLUMNS, "--id-column");
    return table.select(named(id).cast("string")).collectAsList().stream()
        .map(row -> row.getString(0))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns whether alfamix reads the file itself, with line numbers in messages. */
  private static boolean isText(Path file) {
    return !file.toString().toLowerCase(Locale.ROOT).matches(".*\\.(parquet|orc)");
  }

  /** Returns labels by id; an item has one label. */
  private static Map<String, String> labels(SparkSession spark, SelectRequest request) {
    Path file = request.labelsFile();
    if (isText(file)) {
      return Labels.readById(file, request.labelIdColumn(), request.labelColumn());
    }
    Dataset<Row> table = table(spark, file.toString());
    String id = column(table, request.labelIdColumn(), PoolReader.ID_COLUMNS, "--label-id-column");
    String label = column(table, request.labelColumn(), Labels.LABEL_COLUMNS, "--label-column");
    List<String> ids = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (Row row :
        table.select(named(id).cast("string"), named(label).cast("string")).collectAsList()) {
      ids.add(row.getString(0));
      values.add(row.getString(1));
    }
    return Labels.byId(file.toString(), ids, values);
  }

  /** Checks that every labelled item is in the pool. */
  private static void requireKnown(Dataset<Row> found, Set<String> ids, String file) {
    Set<String> missing = new HashSet<>(ids);
    found.collectAsList().forEach(row -> missing.remove(String.valueOf(row.get(0))));
    if (!missing.isEmpty()) {
      throw new DataException(
          "%s: the pool has no item '%s'%s."
              .formatted(
                  file,
                  missing.stream().sorted().findFirst().orElseThrow(),
                  missing.size() == 1
                      ? ""
                      : " (and %,d others are missing)".formatted(missing.size() - 1)));
    }
  }

  /** Returns the length of an embedding, to choose among heads; 0 if there is none. */
  int features() {
    List<Row> some =
        table
            .filter(named(embeddingColumn).isNotNull())
            .select(named(embeddingColumn))
            .takeAsList(1);
    if (some.isEmpty()) {
      return 0;
    }
    Object value = some.get(0).get(0);
    return value instanceof Vector vector
        ? vector.size()
        : value instanceof scala.collection.Seq<?> values ? values.size() : 0;
  }
}
