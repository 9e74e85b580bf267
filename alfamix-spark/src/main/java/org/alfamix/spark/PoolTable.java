package org.alfamix.spark;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.regexp_replace;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.when;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.spark.InternalRows.TableRow;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/** A table of items in a common form: an id, an embedding of floats, and a label or null. */
final class PoolTable {
  private static final String ID = "id";
  private static final String EMBEDDING = "embedding";
  private static final String LABEL = "label";
  private static final String EXCLUDED = "excluded";

  private final Dataset<Row> items;
  private final Dataset<Row> excluded;
  private final boolean textIds;
  private final boolean normalize;

  /**
   * The columns to read.
   *
   * @param label null if there are no labels
   */
  record Columns(String id, String embedding, String label) {}

  /** The labelled items, in the order of ids. */
  record Labelled(List<String> ids, FloatMatrix rows, List<String> labels, BadRows bad) {}

  /**
   * Creates the query; nothing is read yet.
   *
   * @param excluded a table with the same column of ids, of items that must not be picked; or null
   */
  PoolTable(Dataset<?> table, Columns columns, boolean normalize, Dataset<Row> excluded) {
    StructType schema = table.schema();
    check(schema, columns);
    this.textIds = type(schema, columns.id()).equals(DataTypes.StringType);
    this.normalize = normalize;
    this.excluded =
        excluded == null
            ? null
            : excluded.select(
                named(columns.id())
                    .cast(textIds ? DataTypes.StringType : DataTypes.LongType)
                    .as(EXCLUDED));
    Column id = named(columns.id());
    Column label =
        columns.label() == null
            ? lit(null).cast(DataTypes.StringType)
            : label(named(columns.label()), type(schema, columns.label()));
    this.items =
        table.select(
            (textIds ? id : id.cast(DataTypes.LongType)).as(ID),
            floats(named(columns.embedding()), type(schema, columns.embedding())).as(EMBEDDING),
            label.as(LABEL));
  }

  /**
   * Checks that a table can be a pool, before anything is read.
   *
   * @throws InvalidRequestException if a column is missing or has the wrong type
   */
  static void check(StructType schema, Columns columns) {
    DataType id = type(schema, columns.id());
    if (!isWhole(id) && !id.equals(DataTypes.StringType)) {
      throw wrong(columns.id(), id, "text or integers");
    }
    DataType embedding = type(schema, columns.embedding());
    boolean numbers =
        embedding instanceof ArrayType array
            && (array.elementType().equals(DataTypes.FloatType)
                || array.elementType().equals(DataTypes.DoubleType));
    if (!numbers && !embedding.equals(SQLDataTypes.VectorType())) {
      throw wrong(columns.embedding(), embedding, "array<float>, array<double> or an MLlib vector");
    }
    if (columns.label() != null) {
      DataType label = type(schema, columns.label());
      if (!(label instanceof NumericType) && !label.equals(DataTypes.StringType)) {
        throw wrong(columns.label(), label, "text or numbers");
      }
    }
  }

  private static IllegalArgumentException wrong(String column, DataType found, String expected) {
    return new InvalidRequestException(
        "The column '%s' has the type %s; expected %s."
            .formatted(column, found.simpleString(), expected));
  }

  private static boolean isWhole(DataType type) {
    return List.of(
            DataTypes.LongType, DataTypes.IntegerType, DataTypes.ShortType, DataTypes.ByteType)
        .contains(type);
  }

  private static DataType type(StructType schema, String column) {
    if (!List.of(schema.fieldNames()).contains(column)) {
      throw new InvalidRequestException(
          "No column '%s'; the columns are %s."
              .formatted(column, String.join(", ", schema.fieldNames())));
    }
    return schema.apply(column).dataType();
  }

  /** Returns a column by its literal name: a dot does not select a nested field. */
  private static Column named(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }

  private static Column floats(Column embedding, DataType type) {
    if (type.equals(SQLDataTypes.VectorType())) {
      // The function fails on null.
      return when(embedding.isNotNull(), functions.vector_to_array(embedding, "float32"));
    }
    DataType floats = DataTypes.createArrayType(DataTypes.FloatType);
    return ((ArrayType) type).elementType().equals(DataTypes.FloatType)
        ? embedding
        : embedding.cast(floats);
  }

  /** Returns labels as text; null for values that mean no label: empty, NaN, or negative. */
  private static Column label(Column label, DataType type) {
    Column text = regexp_replace(label.cast(DataTypes.StringType), "^\\s+|\\s+$", "");
    Column none = text.equalTo("").or(lower(text).equalTo("nan"));
    if (type instanceof NumericType) {
      none = none.or(label.lt(0));
    }
    return when(label.isNull().or(none), lit(null)).otherwise(text);
  }

  /** A labelled row as sent to the driver; the embedding is null if it is missing or has a null. */
  @DefaultSerializer(JavaSerializer.class)
  private record LabelledRow(Comparable<?> id, float[] embedding, String label)
      implements Serializable {}

  /**
   * Returns the labelled items; all of them are sent to the driver.
   *
   * @param features length of embeddings; 0 to use the most frequent length of the labelled items
   */
  Labelled labelled(int features) {
    List<LabelledRow> found =
        new ArrayList<>(
            InternalRows.mapPartitions(
                    items.filter(col(LABEL).isNotNull()), textIds, PoolTable::labelledRows)
                .collect());
    found.sort(Comparator.comparing(LabelledRow::id, Ids::compare));
    for (int i = 1; i < found.size(); i++) {
      if (found.get(i).id() != null && found.get(i).id().equals(found.get(i - 1).id())) {
        throw new DataException("Duplicate id '%s'.".formatted(found.get(i).id()));
      }
    }
    int length = features > 0 ? features : usualLength(found);
    List<LabelledRow> good = new ArrayList<>();
    BadRows bad = BadRows.NONE;
    for (LabelledRow row : found) {
      String wrong = wrong(row, length);
      if (wrong == null) {
        good.add(row);
      } else {
        bad = bad.and(new BadRows(1, row.id(), wrong));
      }
    }
    FloatMatrix rows = FloatMatrix.zeros(good.size(), length);
    for (int i = 0; i < good.size(); i++) {
      System.arraycopy(good.get(i).embedding(), 0, rows.array(), rows.rowOffset(i), length);
    }
    if (normalize) {
      Kernels.normalizeRows(rows);
    }
    return new Labelled(
        good.stream().map(row -> row.id().toString()).toList(),
        rows,
        good.stream().map(LabelledRow::label).toList(),
        bad);
  }

  /** Returns the most frequent length; the shortest of equally frequent ones. */
  private static int usualLength(List<LabelledRow> rows) {
    Map<Integer, Integer> counts = new TreeMap<>();
    for (LabelledRow row : rows) {
      if (row.embedding() != null) {
        counts.merge(row.embedding().length, 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .reduce((one, two) -> two.getValue() > one.getValue() ? two : one)
        .map(Map.Entry::getKey)
        .orElse(0);
  }

  private static Iterator<LabelledRow> labelledRows(Iterator<TableRow> rows) {
    List<LabelledRow> result = new ArrayList<>();
    while (rows.hasNext()) {
      TableRow row = rows.next();
      boolean complete = row.id() != null && row.hasEmbedding() && row.firstNull() < 0;
      result.add(new LabelledRow(row.id(), complete ? row.embedding() : null, row.label()));
    }
    return result.iterator();
  }

  private static String wrong(LabelledRow row, int features) {
    if (row.id() == null) {
      return BlockReader.NO_ID;
    }
    if (row.embedding() == null) {
      return "no embedding, or one that contains null";
    }
    if (row.embedding().length != features) {
      return BlockReader.ragged(row.embedding().length, features);
    }
    FloatMatrix values = FloatMatrix.wrap(row.embedding(), 1, features);
    return Float.isFinite(Kernels.squaredNorm(values, 0)) ? null : BlockReader.wrong(values, 0);
  }

  /**
   * Returns the length of some embedding, if neither a head nor labels determine it.
   *
   * @param usual whether to use the most frequent length, which takes a pass over the pool
   */
  int features(boolean usual) {
    Column length = size(col(EMBEDDING));
    Dataset<Row> some = items.filter(col(EMBEDDING).isNotNull());
    Dataset<Row> found =
        usual
            ? some.groupBy(length.as("length"))
                .count()
                .sort(col("count").desc(), col("length"))
                .select("length")
            : some.select(length);
    List<Row> row = found.limit(1).collectAsList();
    if (row.isEmpty()) {
      throw new DataException("The pool has no items.");
    }
    return row.get(0).getInt(0);
  }

  /** Returns the items without a label. */
  JavaRDD<ReadBlock> blocks(int features, int size) {
    Dataset<Row> pool = items.filter(col(LABEL).isNull()).select(ID, EMBEDDING);
    if (excluded != null) {
      pool = pool.join(broadcast(excluded), col(ID).equalTo(col(EXCLUDED)), "left_anti");
    }
    return InternalRows.mapPartitions(pool, textIds, new BlockReader(features, size, normalize));
  }
}
