package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.alfamix.cluster.Clustering;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Seeds;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.clustering.KMeans;
import org.apache.spark.ml.clustering.KMeansModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Clusters more candidates than the driver can hold: first finds centres, on a sample or on the
 * cluster; then finds the candidate nearest to each centre in one more pass.
 */
final class ClusterJob implements AlfaMixJob.Clusterer {
  private static final int MLLIB_ITERATIONS = 20;

  private final boolean byMllib;

  /**
   * @param byMllib whether MLlib's k-means|| computes the centres of all candidates; otherwise the
   *     engine's k-means computes them on a sample that fits the driver
   */
  ClusterJob(boolean byMllib) {
    this.byMllib = byMllib;
  }

  @Override
  public void run(
      ClusterQuery query,
      JavaRDD<CandidatePass.CandidateBlock> candidates,
      long size,
      Outcome outcome) {
    if (query.model().alfaMix().picks() != AlfaMix.PickRule.KMEANS) {
      throw new InvalidRequestException(
          "%,d candidates exceed the limit of %,d MB on the driver; increase the limit, or use picks=kmeans, which runs on the cluster."
              .formatted(size, query.driverBytes() >> 20));
    }
    long start = System.nanoTime();
    FloatMatrix centres =
        byMllib ? mllib(query, candidates, outcome) : sampled(query, candidates, size, outcome);
    outcome.seconds("centres", (System.nanoTime() - start) / 1e9);
    start = System.nanoTime();
    Members members = nearest(query, candidates, centres);
    Map<Integer, Near> nearest = members.nearest();
    outcome.note("inertia", String.format(Locale.ROOT, "%.6g", members.inertia()));
    Map<Comparable<?>, Integer> clusterOf = new HashMap<>();
    nearest.forEach((cluster, near) -> clusterOf.put(near.id(), cluster));
    List<PoolBlock> items = new ArrayList<>(fetch(candidates, clusterOf.keySet()));
    int missing = query.budget() - clusterOf.size();
    if (missing > 0) {
      items.addAll(firstToFlip(candidates, clusterOf.keySet(), missing));
      outcome.note(
          "filled",
          "picks that do not represent a cluster but have the smallest flip caps of the remaining"
              + " candidates: "
              + missing);
    }
    PoolBlock picked = PoolBlock.sorted(items, query.model().features()).requireDistinct();
    // Their number is the budget, so the engine only puts them in order.
    Selection selection =
        new AlfaMix(query.model().alfaMix())
            .select(query.model().snapshot(picked.rows()), query.budget(), query.model().random());
    for (Pick pick : selection.picks()) {
      Comparable<?> id = picked.id(pick.item());
      outcome.pick(
          id,
          new Pick(
              pick.item(),
              pick.score(),
              clusterOf.getOrDefault(id, -1),
              pick.predicted(),
              pick.reason()));
    }
    outcome.seconds("nearest", (System.nanoTime() - start) / 1e9);
  }

  /** Returns centres of a sample of the candidates that fits the driver, drawn by a hash of ids. */
  private static FloatMatrix sampled(
      ClusterQuery query,
      JavaRDD<CandidatePass.CandidateBlock> candidates,
      long size,
      Outcome outcome) {
    int features = query.model().features();
    long most = Math.max(2L * query.budget(), query.driverBytes() / PoolBlock.bytes(1, features));
    // As an unsigned number, a hash is below this limit with the desired probability.
    double share = Math.min(1, (double) most / size);
    long limit = share == 1 ? -1 : (long) (share * 0x1p63) << 1;
    long seed = query.model().seed();
    List<PoolBlock> blocks =
        candidates
            .map(found -> found.items().only(id -> isSampled(id, seed, limit)))
            .filter(block -> block.size() > 0)
            .collect();
    FloatMatrix sample = PoolBlock.sorted(blocks, features).rows();
    int clusters = Math.min(query.budget(), sample.rows());
    Kernels.normalizeRows(sample);
    AlfaMix.Options options = query.model().alfaMix();
    var defaults = org.alfamix.cluster.KMeans.Options.of(clusters);
    Clustering clustering =
        org.alfamix.cluster.KMeans.cluster(
            sample,
            new org.alfamix.cluster.KMeans.Options(
                clusters, options.restarts(), defaults.maxIterations(), defaults.tolerance()),
            query.model().random());
    outcome.note(
        "clustering",
        "approximate: centres computed on %,d of the %,d candidates, which fit the limit of %,d MB on the driver (%s); all candidates were assigned to the centres"
            .formatted(sample.rows(), size, query.driverBytes() >> 20, clustering.method()));
    return org.alfamix.cluster.KMeans.centres(sample, clustering.assignment(), clusters);
  }

  private static boolean isSampled(Comparable<?> id, long seed, long limit) {
    return Long.compareUnsigned(Seeds.scatter(Ids.hash(id) ^ Seeds.scatter(seed)), limit) < 0;
  }

  /** Returns centres of all candidates, computed by MLlib. */
  private static FloatMatrix mllib(
      ClusterQuery query, JavaRDD<CandidatePass.CandidateBlock> candidates, Outcome outcome) {
    SparkSession session = SparkSession.builder().sparkContext(query.context().sc()).getOrCreate();
    JavaRDD<Row> rows =
        candidates.flatMap(
            found -> {
              FloatMatrix block = normalized(found.items());
              return IntStream.range(0, block.rows())
                  .mapToObj(i -> RowFactory.create(Vectors.dense(doubles(block.row(i)))))
                  .iterator();
            });
    StructType schema = new StructType().add("features", SQLDataTypes.VectorType());
    Dataset<Row> table = session.createDataFrame(rows, schema).persist();
    try {
      KMeansModel model =
          new KMeans()
              .setK(query.budget())
              .setInitMode("k-means||")
              .setMaxIter(MLLIB_ITERATIONS)
              .setSeed(query.model().seed())
              .fit(table);
      FloatMatrix centres =
          FloatMatrix.zeros(model.clusterCenters().length, query.model().features());
      for (int k = 0; k < centres.rows(); k++) {
        double[] centre = model.clusterCenters()[k].toArray();
        for (int d = 0; d < centre.length; d++) {
          centres.set(k, d, (float) centre[d]);
        }
      }
      outcome.note(
          "clustering",
          "MLlib's k-means|| on the cluster, %d iterations; its sums depend on the partitioning of the pool"
              .formatted(model.summary().numIter()));
      return centres;
    } finally {
      table.unpersist();
    }
  }

  private static double[] doubles(float[] values) {
    return IntStream.range(0, values.length).mapToDouble(d -> values[d]).toArray();
  }

  private static FloatMatrix normalized(PoolBlock items) {
    FloatMatrix rows = items.rows().copy();
    Kernels.normalizeRows(rows);
    return rows;
  }

  /** A candidate and its squared distance to the centre of its cluster. */
  private record Near(Comparable<?> id, double distance) implements Serializable {
    Near or(Near other) {
      int order = Double.compare(distance, other.distance);
      order = order != 0 ? order : Ids.compare(id, other.id);
      return order <= 0 ? this : other;
    }
  }

  /** The nearest candidate of every non-empty cluster, and the sum of all squared distances. */
  @DefaultSerializer(JavaSerializer.class)
  private record Members(TreeMap<Integer, Near> nearest, double inertia) implements Serializable {
    Members and(Members other) {
      TreeMap<Integer, Near> both = new TreeMap<>(nearest);
      other.nearest.forEach((cluster, near) -> both.merge(cluster, near, Near::or));
      return new Members(both, inertia + other.inertia);
    }
  }

  /** Finds the nearest candidates in one pass over the candidates. */
  private static Members nearest(
      ClusterQuery query, JavaRDD<CandidatePass.CandidateBlock> candidates, FloatMatrix centres) {
    int features = centres.columns();
    Broadcast<float[]> shared = query.context().broadcast(centres.array());
    try {
      return candidates
          .mapPartitions(
              blocks -> {
                FloatMatrix known =
                    FloatMatrix.wrap(shared.value(), shared.value().length / features, features);
                TreeMap<Integer, Near> best = new TreeMap<>();
                double inertia = 0;
                while (blocks.hasNext()) {
                  PoolBlock items = blocks.next().items();
                  inertia += Parallel.sequentially(() -> lower(best, items, known));
                }
                return List.of(new Members(best, inertia)).iterator();
              })
          .treeReduce(Members::and);
    } finally {
      shared.destroy();
    }
  }

  /** Collects the embeddings of only the given items. */
  private static List<PoolBlock> fetch(
      JavaRDD<CandidatePass.CandidateBlock> candidates, Set<Comparable<?>> ids) {
    HashSet<Comparable<?>> wanted = new HashSet<>(ids);
    return candidates
        .map(found -> found.items().only(wanted::contains))
        .filter(block -> block.size() > 0)
        .collect();
  }

  /** Updates the nearest candidates by a block; returns its sum of squared distances. */
  private static double lower(Map<Integer, Near> best, PoolBlock items, FloatMatrix centres) {
    FloatMatrix rows = normalized(items);
    int[] clusters = org.alfamix.cluster.KMeans.nearest(rows, centres);
    double sum = 0;
    for (int i = 0; i < clusters.length; i++) {
      int c = clusters[i];
      double distance =
          Kernels.squaredDistance(
              rows.array(),
              rows.rowOffset(i),
              centres.array(),
              centres.rowOffset(c),
              rows.columns());
      sum += distance;
      Near before = best.get(c);
      if (before == null || distance <= before.distance()) {
        best.merge(c, new Near(items.id(i), distance), Near::or);
      }
    }
    return sum;
  }

  /** A candidate and its flip cap. */
  @DefaultSerializer(JavaSerializer.class)
  private record Flipping(PoolBlock item, double cap) implements Serializable {}

  private static List<PoolBlock> firstToFlip(
      JavaRDD<CandidatePass.CandidateBlock> candidates, Set<Comparable<?>> without, int count) {
    HashSet<Comparable<?>> taken = new HashSet<>(without);
    Comparator<Flipping> order =
        (Comparator<Flipping> & Serializable)
            (one, two) -> {
              int byCap = Double.compare(one.cap(), two.cap());
              return byCap != 0 ? byCap : Ids.compare(one.item().id(0), two.item().id(0));
            };
    return candidates
        .flatMap(
            found ->
                IntStream.range(0, found.caps().length)
                    .filter(i -> !taken.contains(found.items().id(i)))
                    .mapToObj(
                        i -> new Flipping(found.items().gather(new int[] {i}), found.caps()[i]))
                    .iterator())
        .takeOrdered(count, order)
        .stream()
        .map(Flipping::item)
        .toList();
  }
}
