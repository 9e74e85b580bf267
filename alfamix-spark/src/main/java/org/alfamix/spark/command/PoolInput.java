package org.alfamix.spark.command;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alfamix.cli.SelectRequest;
import org.alfamix.data.DataException;
import org.alfamix.query.Exclusions;
import org.alfamix.query.Labels;
import org.alfamix.query.PoolReader;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The pool as files or a query tell it, with the labels beside it and without what is excluded.
 *
 * @param labelColumn null where nothing is labelled
 */
record PoolInput(Dataset<Row> table, String idColumn, String embeddingColumn, String labelColumn) {
  /** A name that a table of somebody else is unlikely to have. */
  private static final String LABEL = "alfamix label";

  static PoolInput read(SparkSession spark, String location, String sql, SelectRequest request) {
    Dataset<Row> pool = sql != null ? spark.sql(sql) : table(spark, location);
    String id = column(pool, request.idColumn(), PoolReader.ID_COLUMNS, "--id-column");
    String embedding =
        column(pool, request.embeddingColumn(), List.of("embedding"), "--embedding-column");
    if (request.exclude() != null) {
      Dataset<Row> excluded = ids(spark, request.exclude(), request.idColumn());
      pool =
          pool.join(
              broadcast(excluded),
              named(id).cast("string").equalTo(excluded.col("x")),
              "left_anti");
    }
    if (request.labelsFile() == null) {
      String label =
          request.labelColumn() == null
              ? null
              : column(pool, request.labelColumn(), List.of(), "--label-column");
      return new PoolInput(pool, id, embedding, label);
    }
    Map<String, String> labels = labels(spark, request);
    requireKnown(spark, pool, id, labels, request.labelsFile().toString());
    StructType schema =
        new StructType().add("alfamix id", DataTypes.StringType).add(LABEL, DataTypes.StringType);
    List<Row> rows =
        labels.entrySet().stream()
            .map(entry -> RowFactory.create(entry.getKey(), entry.getValue()))
            .toList();
    Dataset<Row> beside = spark.createDataFrame(rows, schema);
    Dataset<Row> joined =
        pool.join(
                broadcast(beside),
                named(id).cast("string").equalTo(beside.col("`alfamix id`")),
                "left_outer")
            .drop("alfamix id");
    return new PoolInput(joined, id, embedding, LABEL);
  }

  private static Column named(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }

  /** A column by the name that was given, or by the first of the usual ones that is there. */
  private static String column(
      Dataset<Row> table, String given, List<String> usual, String option) {
    List<String> names = Arrays.asList(table.columns());
    if (given != null) {
      if (!names.contains(given)) {
        throw new DataException(
            "There is no column '%s'; there are %s.".formatted(given, String.join(", ", names)));
      }
      return given;
    }
    return usual.stream()
        .filter(names::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "There is no column '%s'; there are %s. Say with %s which one it is."
                        .formatted(usual.get(0), String.join(", ", names), option)));
  }

  private static Dataset<Row> table(SparkSession spark, String location) {
    String name = location.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|bz2|zst|snappy)$", "");
    if (name.endsWith(".jsonl") || name.endsWith(".json")) {
      return spark.read().json(location);
    }
    if (name.endsWith(".orc")) {
      return spark.read().orc(location);
    }
    if (name.matches(".*\\.(npy|npz|csv|tsv|safetensors)")) {
      throw new DataException(
          location + ": expected .parquet, .orc or .jsonl; 'alfamix select' reads the others.");
    }
    return spark.read().parquet(location);
  }

  private static Dataset<Row> ids(SparkSession spark, Path file, String idColumn) {
    List<String> ids = new ArrayList<>();
    if (isText(file)) {
      ids.addAll(Exclusions.ids(file, idColumn));
    } else {
      Dataset<Row> table = table(spark, file.toString());
      String id = column(table, idColumn, PoolReader.ID_COLUMNS, "--id-column");
      table
          .select(named(id).cast("string"))
          .collectAsList()
          .forEach(row -> ids.add(row.getString(0)));
    }
    List<Row> rows = ids.stream().map(RowFactory::create).toList();
    return spark.createDataFrame(rows, new StructType().add("x", DataTypes.StringType));
  }

  /** Whether our own readers take it, which name the line of what is wrong. */
  private static boolean isText(Path file) {
    return !file.toString().toLowerCase(Locale.ROOT).matches(".*\\.(parquet|orc)");
  }

  /** Labels by id; of an item that has two, both must say the same. */
  private static Map<String, String> labels(SparkSession spark, SelectRequest request) {
    Path file = request.labelsFile();
    if (isText(file)) {
      return Labels.readById(file, request.labelIdColumn(), request.labelColumn());
    }
    Dataset<Row> table = table(spark, file.toString());
    String id = column(table, request.labelIdColumn(), PoolReader.ID_COLUMNS, "--label-id-column");
    String label = column(table, request.labelColumn(), Labels.LABEL_COLUMNS, "--label-column");
    List<String> ids = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (Row row :
        table.select(named(id).cast("string"), named(label).cast("string")).collectAsList()) {
      ids.add(row.getString(0));
      said.add(row.getString(1));
    }
    return Labels.byId(file.toString(), ids, said);
  }

  /** Every labelled item must be in the pool; a pass over its ids tells. */
  private static void requireKnown(
      SparkSession spark, Dataset<Row> pool, String id, Map<String, String> labels, String file) {
    List<Row> rows = labels.keySet().stream().map(RowFactory::create).toList();
    Dataset<Row> wanted =
        spark.createDataFrame(rows, new StructType().add("alfamix id", DataTypes.StringType));
    Set<String> missing = new HashSet<>(labels.keySet());
    pool.select(named(id).cast("string").as("x"))
        .join(broadcast(wanted), col("x").equalTo(col("`alfamix id`")))
        .select("x")
        .collectAsList()
        .forEach(row -> missing.remove(row.getString(0)));
    if (!missing.isEmpty()) {
      throw new DataException(
          "%s: the pool has no item '%s'%s."
              .formatted(
                  file,
                  missing.stream().sorted().findFirst().orElseThrow(),
                  missing.size() == 1 ? "" : ", nor %,d others".formatted(missing.size() - 1)));
    }
  }

  /** How long an embedding is, for heads that have to be told apart; 0 where there is none. */
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
