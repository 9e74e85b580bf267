package org.alfamix.spark;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * Selects with coreset in rounds on a cluster, and prints how many blocks the executor caches after
 * the selection.
 */
public final class CacheReleaseProgram {
  private static final String CACHED = "org.alfamix.cluster.FarthestPoints";

  public static void main(String[] args) throws Exception {
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      BatchSelector selector =
          new BatchSelector()
              .setStrategy("coreset")
              .setLabelCol("label")
              .setBudget(5)
              .setDriverBytes(1);
      SparkBatch batch = selector.select(spark.read().parquet(args[0]));
      System.out.println(batch.notes().get("rounds"));
      // Spark removes a destroyed broadcast from the executors in the background.
      long cached = -1;
      for (int attempt = 0; attempt < 300 && cached != 0; attempt++) {
        Thread.sleep(100);
        cached = context.parallelize(List.of(1), 1).map(one -> cachedBlocks()).first();
      }
      System.out.println("cached after the selection: " + cached);
    }
  }

  /** Returns the number of live objects, after a garbage collection, in this process. */
  private static long cachedBlocks() throws Exception {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return Stream.of(histogram.split("\n"))
        .filter(line -> line.endsWith(" " + CACHED) || line.contains(" " + CACHED + " "))
        .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[1]))
        .sum();
  }
}
