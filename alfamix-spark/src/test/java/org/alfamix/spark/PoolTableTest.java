package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.alfamix.io.DataException;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Supported tables, and the errors for others. */
class PoolTableTest {
  private final SparkTables.Case pool = SparkTables.clouds(400, 8, 3, 40, 12);

  private List<String> picks(Dataset<Row> table) {
    return SameAsLocalTest.lines(pool.selector("alfamix", 3).transform(table));
  }

  @Test
  void readsEmbeddingsOfEveryType() {
    List<String> expected = SameAsLocalTest.lines(pool.local("alfamix", 3));
    Dataset<Row> floats = pool.table(5);
    assertEquals(expected, picks(floats));
    Dataset<Row> doubles =
        floats.withColumn("embedding", functions.expr("cast(embedding as array<double>)"));
    assertEquals(expected, picks(doubles));
    Dataset<Row> vectors =
        doubles.withColumn(
            "embedding", org.apache.spark.ml.functions.array_to_vector(functions.col("embedding")));
    assertEquals(SQLDataTypes.VectorType(), vectors.schema().apply("embedding").dataType());
    assertEquals(expected, picks(vectors));
  }

  @Test
  void reportsNullVectorsAsInvalidRows() {
    Dataset<Row> vectors =
        pool.table(3)
            .withColumn(
                "embedding",
                org.apache.spark.ml.functions.array_to_vector(functions.col("embedding")))
            .withColumn("embedding", functions.expr("if(id = 7, null, embedding)"));
    DataException failure = assertThrows(DataException.class, () -> picks(vectors));
    assertEquals("The item '7' has no embedding.", failure.getMessage());
    assertEquals(1, pool.selector("alfamix", 3).setBadRows("skip").select(vectors).skipped());
  }

  @Test
  void rejectsAPoolWithoutPartitions() {
    Dataset<Row> labelled = pool.table(3).filter("label is not null");
    Dataset<Row> nothing =
        SparkTables.spark().createDataFrame(new ArrayList<Row>(), labelled.schema());
    for (String strategy : BatchSelector.STRATEGIES) {
      assertEquals(
          "budget is 12, but the pool has only 0 unlabelled items.",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> pool.selector(strategy, 3).setLabelled(labelled).transform(nothing))
              .getMessage(),
          strategy);
    }
  }

  @Test
  void keepsTheTypeOfIds() {
    Dataset<Row> table = pool.table(3);
    for (DataType type : List.of(DataTypes.LongType, DataTypes.IntegerType, DataTypes.ShortType)) {
      Dataset<Row> batch =
          pool.selector("alfamix", 3)
              .transform(table.withColumn("id", functions.col("id").cast(type)));
      assertEquals(type, batch.schema().apply("id").dataType());
      assertEquals(SameAsLocalTest.lines(pool.local("alfamix", 3)), SameAsLocalTest.lines(batch));
    }
    // Texts of equal length have the same order as the numbers.
    Dataset<Row> text = table.withColumn("id", functions.expr("lpad(cast(id as string), 4, '0')"));
    assertEquals(
        SameAsLocalTest.lines(pool.local("alfamix", 3)),
        picks(text).stream().map(line -> line.replaceFirst("^0+(?=\\d)", "")).toList());
  }

  @Test
  void recognizesMissingLabels() {
    Dataset<Row> table = pool.table(3);
    List<String> expected = picks(table);
    for (String none : List.of("-1", "cast('NaN' as double)")) {
      assertEquals(
          expected,
          picks(
              table.withColumn(
                  "label", functions.expr("coalesce(cast(label as double), " + none + ")"))));
    }
    for (String none : List.of("''", "' '", "'NaN'")) {
      assertEquals(
          expected,
          picks(
              table.withColumn(
                  "label", functions.expr("coalesce(cast(label as string), " + none + ")"))));
    }
  }

  @Test
  void readsClassNames() {
    Dataset<Row> named =
        pool.table(3)
            .withColumn("label", functions.expr("translate(cast(label as string), '012', 'abc')"));
    List<String> predicted =
        pool
            .selector("entropy", 3)
            .transform(named)
            .select("predicted")
            .distinct()
            .collectAsList()
            .stream()
            .map(row -> row.getString(0))
            .sorted()
            .toList();
    assertTrue(List.of("a", "b", "c").containsAll(predicted), predicted.toString());
  }

  @Test
  void readsLabelledItemsFromASeparateTable() {
    Dataset<Row> table = pool.table(3);
    BatchSelector selector =
        pool.selector("alfamix", 3).setLabelled(table.filter("label is not null"));
    assertEquals(
        picks(table),
        SameAsLocalTest.lines(selector.transform(table.filter("label is null").drop("label"))));
  }

  @Test
  void checksColumnsBeforeReading() {
    StructType schema =
        new StructType()
            .add("id", DataTypes.DoubleType)
            .add("key", DataTypes.StringType)
            .add("embedding", DataTypes.createArrayType(DataTypes.IntegerType))
            .add("vector", DataTypes.createArrayType(DataTypes.FloatType))
            .add("label", DataTypes.DateType);
    BatchSelector selector = new BatchSelector();
    assertMessage(
        "The column 'id' has the type double; expected text or integers.", selector, schema);
    selector.setIdCol("key");
    assertMessage(
        "The column 'embedding' has the type array<int>; expected array<float>, array<double> or an"
            + " MLlib vector.",
        selector,
        schema);
    selector.setEmbeddingCol("vektor");
    assertMessage(
        "No column 'vektor'; the columns are id, key, embedding, vector, label.", selector, schema);
    selector.setEmbeddingCol("vector").setLabelCol("label");
    assertMessage(
        "The column 'label' has the type date; expected text or numbers.", selector, schema);
    selector.setStrategy("bald");
    assertMessage(
        "strategy is 'bald'; expected one of alfamix, random, entropy, least-confidence, margin,"
            + " badge, coreset.",
        selector,
        schema);
    selector.setStrategy("alfamix").setOption("alpha", "random");
    assertMessage(
        "On a cluster, alpha must be closed-form: the other choices depend on row numbers.",
        selector,
        schema);
  }

  private static void assertMessage(String message, BatchSelector selector, StructType schema) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> selector.transformSchema(schema))
            .getMessage());
  }

  /** Returns the pool with additional invalid rows. */
  private Dataset<Row> withBadRows(int partitions) {
    List<Row> rows = new ArrayList<>(pool.table(1).collectAsList());
    Float[] ragged = {1f, 2f};
    Float[] nan = new Float[8];
    Arrays.fill(nan, 1f);
    nan[3] = Float.NaN;
    Float[] hole = new Float[8];
    Float[] huge = new Float[8];
    Arrays.fill(huge, 1e30f);
    Float[] whole = new Float[8];
    Arrays.fill(whole, 1f);
    rows.add(RowFactory.create(1000L, null, null));
    rows.add(RowFactory.create(1001L, ragged, null));
    rows.add(RowFactory.create(999L, nan, null));
    rows.add(RowFactory.create(1002L, hole, null));
    rows.add(RowFactory.create(1003L, huge, null));
    rows.add(RowFactory.create(1004L, nan, 1));
    rows.add(RowFactory.create(null, whole, null));
    return SparkTables.table(rows, partitions);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void rejectsOrSkipsInvalidRows(int partitions) {
    Dataset<Row> table = withBadRows(partitions);
    DataException labelled =
        assertThrows(DataException.class, () -> pool.selector("alfamix", 3).transform(table));
    assertEquals(
        "The item '1004' has NaN at position 3 of its embedding (expected a finite number).",
        labelled.getMessage());
    Dataset<Row> pooled = table.filter("id is null or id <> 1004");
    for (String strategy : BatchSelector.STRATEGIES) {
      DataException failure =
          assertThrows(DataException.class, () -> pool.selector(strategy, 3).transform(pooled));
      assertEquals(
          "6 rows are invalid; the first: a row has no id.", failure.getMessage(), strategy);
      Dataset<Row> known = pooled.filter("id is not null");
      assertEquals(
          "5 rows are invalid; the first: the item '999' has NaN at position 3 of its embedding"
              + " (expected a finite number).",
          assertThrows(DataException.class, () -> pool.selector(strategy, 3).transform(known))
              .getMessage(),
          strategy);
      SparkBatch batch = pool.selector(strategy, 3).setBadRows("skip").select(table);
      assertEquals(7, batch.skipped(), strategy);
      assertEquals(360, batch.unlabelled(), strategy);
      assertEquals(
          SameAsLocalTest.lines(pool.local(strategy, 3)),
          SameAsLocalTest.lines(batch.picks()),
          strategy);
    }
  }

  @Test
  void rejectsABudgetLargerThanThePool() {
    for (String strategy : BatchSelector.STRATEGIES) {
      IllegalArgumentException failure =
          assertThrows(
              IllegalArgumentException.class,
              () -> pool.selector(strategy, 3).setBudget(361).transform(pool.table(7)));
      assertEquals(
          "budget is 361, but the pool has only 360 unlabelled items.",
          failure.getMessage(),
          strategy);
      assertEquals(
          360,
          pool.selector(strategy, 3).setBudget(360).transform(pool.table(7)).count(),
          strategy);
    }
  }

  @Test
  void rejectsDuplicateIds() {
    Dataset<Row> duplicated = pool.table(3).union(pool.table(3));
    for (String strategy : List.of("alfamix", "entropy", "badge", "coreset")) {
      DataException failure =
          assertThrows(DataException.class, () -> pool.selector(strategy, 3).transform(duplicated));
      assertTrue(failure.getMessage().matches("Duplicate id '\\d+'\\."), strategy);
    }
  }

  @Test
  void selectsWithoutLabels() {
    Dataset<Row> cold = pool.table(3).drop("label");
    IllegalArgumentException failure =
        assertThrows(
            IllegalArgumentException.class, () -> new BatchSelector().setBudget(5).transform(cold));
    assertTrue(
        failure.getMessage().startsWith("Strategy 'alfamix' requires labelled items"),
        failure.getMessage());
    for (String strategy : List.of("random", "coreset")) {
      Dataset<Row> batch = new BatchSelector().setStrategy(strategy).setBudget(5).transform(cold);
      assertEquals(5, batch.count());
      assertEquals(0, batch.filter("predicted is not null").count());
    }
  }

  @Test
  void usesAHeadOfMllib() {
    List<Row> rows = new ArrayList<>();
    for (int i : IntStream.range(0, 60).toArray()) {
      double x = Math.sin(i);
      rows.add(
          RowFactory.create((long) i, Vectors.dense(x, 1 - x), i < 30 ? x > 0 ? 1.0 : 0.0 : null));
    }
    StructType schema =
        new StructType()
            .add("id", DataTypes.LongType)
            .add("embedding", SQLDataTypes.VectorType())
            .add("label", DataTypes.DoubleType);
    Dataset<Row> table = SparkTables.spark().createDataFrame(rows, schema);
    var model =
        new org.apache.spark.ml.classification.LogisticRegression()
            .setFeaturesCol("embedding")
            .setRegParam(0.01)
            .fit(table.filter("label is not null"));
    Dataset<Row> batch =
        new BatchSelector()
            .setStrategy("margin")
            .setBudget(3)
            .setLabelCol("label")
            .setHead(model)
            .transform(table);
    List<Row> nearest =
        model
            .transform(table.filter("label is null"))
            .withColumn(
                "p",
                functions.abs(
                    org.apache
                        .spark
                        .ml
                        .functions
                        .vector_to_array(functions.col("probability"), "float64")
                        .getItem(0)
                        .minus(0.5)))
            .sort("p")
            .limit(3)
            .select("id")
            .collectAsList();
    assertEquals(
        nearest.stream().map(row -> row.getLong(0)).toList(),
        batch.select("id").collectAsList().stream().map(row -> row.getLong(0)).toList());
  }
}
