package org.alfamix.spark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.select.Batch;
import org.alfamix.select.Labels;
import org.alfamix.select.Pool;
import org.alfamix.select.Query;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Test pools for the local engine and as tables, and a shared Spark session. */
final class SparkTables {
  static final Path GOLDEN = Path.of("../alfamix-core/src/test/resources/golden");

  private SparkTables() {}

  /** Returns the shared session, with Kryo, because many clusters use it. */
  static SparkSession spark() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("alfamix tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .getOrCreate();
  }

  /**
   * A partly labelled pool, and a head.
   *
   * @param labels one per row, −1 for unlabelled
   * @param head null to fit one
   */
  record Case(FloatMatrix rows, int[] labels, LinearHead head, int budget) {

    /** Returns the batch of the local engine. */
    Batch local(String strategy, long seed) {
      List<String> ids = IntStream.range(0, rows.rows()).mapToObj(Integer::toString).toList();
      int[] labelled = IntStream.range(0, labels.length).filter(i -> labels[i] >= 0).toArray();
      Query query =
          Query.of(Pool.of(rows, ids))
              .labels(Labels.of(labelled, IntStream.of(labelled).map(i -> labels[i]).toArray()))
              .strategy(strategy, java.util.Map.of())
              .budget(budget)
              .seed(seed);
      return (head == null ? query : query.head(head)).run();
    }

    BatchSelector selector(String strategy, long seed) {
      BatchSelector selector =
          new BatchSelector()
              .setStrategy(strategy)
              .setBudget(budget)
              .setSeed(seed)
              .setLabelCol("label");
      return head == null ? selector : selector.setHead(head);
    }

    /** Returns the pool as a table with shuffled rows. */
    Dataset<Row> table(int partitions) {
      List<Row> all = new ArrayList<>();
      for (int i = 0; i < rows.rows(); i++) {
        all.add(RowFactory.create((long) i, rows.row(i), labels[i] < 0 ? null : labels[i]));
      }
      Collections.shuffle(all, new Random(partitions));
      return SparkTables.table(all, partitions);
    }
  }

  static Dataset<Row> table(List<Row> rows, int partitions) {
    StructType schema =
        new StructType()
            .add("id", DataTypes.LongType)
            .add("embedding", DataTypes.createArrayType(DataTypes.FloatType))
            .add("label", DataTypes.IntegerType);
    org.apache.spark.api.java.JavaSparkContext context =
        org.apache.spark.api.java.JavaSparkContext.fromSparkContext(spark().sparkContext());
    return spark().createDataFrame(context.parallelize(rows, partitions), schema);
  }

  /** Returns a table of ids that are text, and embeddings. */
  static Dataset<Row> textTable(List<Row> rows, int partitions) {
    StructType schema =
        new StructType()
            .add("id", DataTypes.StringType)
            .add("embedding", DataTypes.createArrayType(DataTypes.FloatType));
    return spark().createDataFrame(rows, schema).repartition(partitions);
  }

  static Case golden(String name) {
    int budget = name.equals("edge") ? 5 : 20;
    FloatMatrix pool = matrix(name, "z");
    FloatMatrix labelled = matrix(name, "zl");
    FloatMatrix all = FloatMatrix.zeros(pool.rows() + labelled.rows(), pool.columns());
    pool.copyTo(all, 0);
    labelled.copyTo(all, pool.rows());
    int[] known = Npy.open(GOLDEN.resolve(name).resolve("yl.npy")).readInts();
    int[] labels =
        IntStream.range(0, all.rows())
            .map(i -> i < pool.rows() ? -1 : known[i - pool.rows()])
            .toArray();
    float[] bias = Npy.open(GOLDEN.resolve(name).resolve("b.npy")).readFloats();
    return new Case(all, labels, new LinearHead(matrix(name, "W"), bias), budget);
  }

  static FloatMatrix matrix(String name, String array) {
    return Npy.open(GOLDEN.resolve(name).resolve(array + ".npy")).readMatrix();
  }

  /** Returns Gaussian clouds, one per class, with evenly spaced labelled rows. */
  static Case clouds(int items, int features, int classes, int labelled, int budget) {
    SplittableRandom random = new SplittableRandom(1);
    FloatMatrix rows = FloatMatrix.zeros(items, features);
    int[] labels = new int[items];
    int every = items / labelled;
    for (int i = 0; i < items; i++) {
      int k = random.nextInt(classes);
      labels[i] = i % every == 0 ? k : -1;
      for (int d = 0; d < features; d++) {
        rows.set(i, d, (float) (random.nextGaussian() + (d % classes == k ? 1.2 : 0)));
      }
    }
    return new Case(rows, labels, null, budget);
  }
}
