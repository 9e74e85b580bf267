package com.example;

import java.nio.file.Path;
import org.alfamix.spark.BatchSelector;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/** Selects from a table in a pipeline: columns become vectors, and the batch is selected. */
public final class SelectOnSpark {
  private SelectOnSpark() {}

  /**
   * Prints ten picks.
   *
   * @param args the strategy; by default, {@code coreset}
   */
  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .appName("select")
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.warehouse.dir", Path.of("target", "warehouse").toString())
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
    Dataset<Row> table =
        spark
            .range(5_000)
            .withColumn("a", functions.sin(functions.col("id")))
            .withColumn("b", functions.cos(functions.col("id").multiply(0.7)));
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  new VectorAssembler()
                      .setInputCols(new String[] {"a", "b"})
                      .setOutputCol("embedding"),
                  new BatchSelector()
                      .setStrategy(args.length > 0 ? args[0] : "coreset")
                      .setBudget(10)
                });
    pipeline.fit(table).transform(table).select("id", "rank", "score").show(10, false);
    spark.stop();
  }
}
