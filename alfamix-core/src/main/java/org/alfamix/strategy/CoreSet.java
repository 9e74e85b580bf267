package org.alfamix.strategy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.cluster.KCenterGreedy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * CoreSet: items whose embeddings are farthest from everything labelled or picked before. The score
 * is that distance at the time of the pick. Works without labels, too.
 *
 * <p>O. Sener and S. Savarese, "Active learning for convolutional neural networks: A core-set
 * approach", ICLR 2018; its greedy form.
 */
public final class CoreSet implements QueryStrategy {
  /** What the registry knows of it. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
          "coreset",
          "farthest embeddings",
          "O. Sener, S. Savarese, \"Active learning for convolutional neural networks: A core-set"
              + " approach\", ICLR 2018",
          CoreSet::new);

  private static final int BLOCK = 512;

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of();
  }

  @Override
  public boolean usesLabelled() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    double[] nearest = squaredDistancesToNearest(pool, snapshot.labelled());
    recorder.phase("distances");
    KCenterGreedy.Picks picks =
        KCenterGreedy.pick(
            nearest,
            (i, j) ->
                Kernels.squaredDistance(
                    pool.array(),
                    pool.rowOffset(i),
                    pool.array(),
                    pool.rowOffset(j),
                    pool.columns()),
            budget);
    int[] predicted = snapshot.predict(picks.indices());
    for (int p = 0; p < budget; p++) {
      int item = picks.indices()[p];
      double distance = Math.sqrt(picks.dissimilarities()[p]);
      String reason =
          Double.isInfinite(distance)
              ? "the first of all: nothing is labelled or picked yet"
              : String.format(
                  Locale.ROOT,
                  "unlike anything labelled or picked before it: distance %.3g to the nearest",
                  distance);

      recorder.pick(new Pick(item, distance, -1, predicted[p], reason));
    }
    return recorder.phase("pick").finish();
  }

  /**
   * The nearest centre by a block product: ‖z − c‖² is least where ⟨z, c⟩ − ½‖c‖² is largest, and
   * that is a linear head. Its distance is then measured directly, without cancellation.
   */
  private static double[] squaredDistancesToNearest(FloatMatrix pool, FloatMatrix centres) {
    double[] result = new double[pool.rows()];
    Arrays.fill(result, Double.POSITIVE_INFINITY);
    if (centres.rows() == 0) {
      return result;
    }
    float[] bias = Kernels.squaredRowNorms(centres);
    for (int c = 0; c < bias.length; c++) {
      bias[c] *= -0.5f;
    }
    LinearHead closeness = new LinearHead(centres, bias);
    Parallel.forBlocks(
        pool.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = closeness.logits(pool.slice(from, to));
          for (int i = from; i < to; i++) {
            int c = Kernels.argmax(block.array(), block.rowOffset(i - from), block.columns());
            result[i] =
                Kernels.squaredDistance(
                    pool.array(),
                    pool.rowOffset(i),
                    centres.array(),
                    centres.rowOffset(c),
                    pool.columns());
          }
        });
    return result;
  }
}
