package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.Normalizer;
import org.apache.spark.ml.functions;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link BatchSelector} behaves like the stages of MLlib. */
class PipelineStageTest {
  private static final LinearHead HEAD =
      new LinearHead(
          FloatMatrix.wrap(new float[] {0.1f, -2, 3e-7f, 4, 1f / 3, 6}, 2, 3),
          new float[] {0.5f, -1e20f});

  @TempDir private Path folder;

  @Test
  void pipelinesAreSavedAndLoadedWithTheSelector() throws Exception {
    SparkTables.Case pool = SparkTables.clouds(600, 8, 3, 30, 12);
    Dataset<Row> table =
        pool.table(3)
            .withColumn(
                "vector",
                functions.array_to_vector(new org.apache.spark.sql.ColumnName("embedding")));
    BatchSelector selector =
        new BatchSelector()
            .setEmbeddingCol("unit")
            .setLabelCol("label")
            .setStrategy("margin")
            .setBudget(12);
    Normalizer normalizer = new Normalizer().setInputCol("vector").setOutputCol("unit");
    PipelineModel pipeline =
        new Pipeline().setStages(new PipelineStage[] {normalizer, selector}).fit(table);
    List<Row> expected = pipeline.transform(table).collectAsList();
    assertEquals(12, expected.size());

    String path = folder.resolve("pipeline").toString();
    pipeline.write().overwrite().save(path);
    assertEquals(expected, PipelineModel.load(path).transform(table).collectAsList());
  }

  @Test
  void allParametersExceptTablesAreSaved() throws Exception {
    BatchSelector selector =
        new BatchSelector()
            .setStrategy("alfamix")
            .setOption("restarts", "3")
            .setOption("capStep", "0.1")
            .setBudget(7)
            .setSeed(-5)
            .setIdCol("key")
            .setEmbeddingCol("e")
            .setLabelCol("l")
            .setHead(HEAD)
            .setClassNames("cat", "\"dog\"")
            .setNormalize(true)
            .setBadRows("skip")
            .setDriverBytes(1L << 40)
            .setClustering("mllib");
    String path = folder.resolve("selector").toString();
    selector.save(path);
    BatchSelector loaded = BatchSelector.load(path);

    assertEquals(selector.uid(), loaded.uid());
    assertEquals("alfamix", loaded.getStrategy());
    assertArrayEquals(new String[] {"restarts=3", "capStep=0.1"}, loaded.getOptions());
    assertEquals(7, loaded.getBudget());
    assertEquals(-5, loaded.getSeed());
    assertEquals("key", loaded.getIdCol());
    assertEquals("e", loaded.getEmbeddingCol());
    assertEquals(Optional.of("l"), loaded.getLabelCol());
    assertArrayEquals(HEAD.weights().array(), loaded.getHead().orElseThrow().weights().array());
    assertArrayEquals(HEAD.bias(), loaded.getHead().orElseThrow().bias());
    assertEquals(Optional.of(List.of("cat", "\"dog\"")), loaded.getClassNames());
    assertTrue(loaded.getNormalize());
    assertEquals("skip", loaded.getBadRows());
    assertEquals(1L << 40, loaded.getDriverBytes());
    assertEquals("mllib", loaded.getClustering());
    // A new parameter must be added to this test.
    long unset = Arrays.stream(loaded.params()).filter(param -> !loaded.isSet(param)).count();
    assertEquals(2, unset, "labelled and excluded");
  }

  @Test
  void tablesAreNotSaved() {
    Dataset<Row> ids = SparkTables.clouds(10, 2, 2, 4, 1).table(1).select("id");
    BatchSelector selector = new BatchSelector().setExcluded(ids);
    InvalidRequestException error =
        assertThrows(InvalidRequestException.class, () -> selector.save("unused"));
    assertEquals(
        "excluded is a table, which cannot be saved; clear it and set it after loading.",
        error.getMessage());
    selector.clear(selector.excluded());
    assertEquals(Optional.empty(), selector.getExcluded());
    selector.write();
  }

  @Test
  void copiesAreIndependent() {
    BatchSelector selector = new BatchSelector().setBudget(3).setHead(HEAD);
    BatchSelector copy = selector.copy(selector.extractParamMap());
    copy.setBudget(4);
    assertEquals(3, selector.getBudget());
    assertEquals(4, copy.getBudget());
    assertEquals(selector.uid(), copy.uid());
  }

  @Test
  void parametersAreExplained() {
    BatchSelector selector = new BatchSelector().setOption("restarts", "3").setHead(HEAD);
    String text = selector.explainParams();
    for (Param<?> param : selector.params()) {
      assertTrue(text.contains(param.name() + ": " + param.doc()), param.name());
    }
    assertTrue(text.contains("(default: 100)"), text);
    assertTrue(text.contains("(default: [], current: [restarts=3])"), text);
    assertTrue(text.contains("(current: linear head with 2 classes and 3 features)"), text);
    assertTrue(text.contains("(undefined)"), text);
    assertFalse(text.contains("[L"), text);
  }
}
