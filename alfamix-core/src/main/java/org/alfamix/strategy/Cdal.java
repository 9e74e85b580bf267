package org.alfamix.strategy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.cluster.KCenterGreedy;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;

/**
 * CDAL: selects items whose predictions differ most from those of all labelled items and earlier
 * picks, by symmetric Kullback–Leibler divergence. The score is that divergence at the time of the
 * pick.
 *
 * <p>S. Agarwal, H. Arora, S. Anand and C. Arora, "Contextual diversity for active learning", ECCV
 * 2020; its core-set form for classification.
 *
 * <p>The compared distributions are softmax(probabilities), as in the code of the authors, which
 * avoids values near 0. They are so similar that picks depend on the eighth digit, hence the double
 * precision. If probabilities are given instead of a head, but not for the labelled items, only
 * earlier picks are considered.
 */
public final class Cdal implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "cdal",
              "most diverse predictions",
              "S. Agarwal, H. Arora, S. Anand, C. Arora, \"Contextual diversity for active"
                  + " learning\", ECCV 2020",
              Cdal::new)
          .withCriterion(Criterion.DIVERSITY);

  private static final int BLOCK = 512;

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public boolean usesLabelled() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    return choose(snapshot, budget, PickConstraint.NONE);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return choose(snapshot, budget, cap);
  }

  private static Selection choose(Snapshot snapshot, int budget, PickConstraint constraint) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    Contexts pool = Contexts.of(snapshot.size(), snapshot::probabilities);
    Contexts centres =
        snapshot
            .labelledProbabilities()
            .map(rows -> Contexts.of(rows.rows(), rows::slice))
            .orElse(new Contexts(new double[0][]));
    recorder.phase("probabilities");
    double[] nearest = pool.nearest(centres);
    recorder.phase("divergences");
    KCenterGreedy.Picks picks =
        KCenterGreedy.pick(nearest, (i, j) -> pool.divergence(i, pool, j), budget, constraint);
    int[] predicted = snapshot.predict(picks.indices());
    for (int p = 0; p < predicted.length; p++) {
      int item = picks.indices()[p];
      double divergence = picks.dissimilarities()[p];
      String reason =
          Double.isInfinite(divergence)
              ? "first pick: nothing is labelled yet"
              : String.format(
                  Locale.ROOT,
                  "the prediction differs from those of all labelled items and earlier picks:"
                      + " divergence %.3g",
                  divergence);

      recorder.pick(new Pick(item, divergence, -1, predicted[p], reason));
    }
    return recorder.phase("pick").finish();
  }

  /** Distributions q, each followed by its logarithm: 2 · classes numbers per row. */
  private record Contexts(double[][] rows) {

    @FunctionalInterface
    interface Probabilities {
      FloatMatrix of(int from, int to);
    }

    static Contexts of(int size, Probabilities probabilities) {
      double[][] rows = new double[size][];
      Parallel.forBlocks(
          size,
          BLOCK,
          (from, to) -> {
            FloatMatrix p = probabilities.of(from, to);
            for (int i = from; i < to; i++) {
              rows[i] = context(p.array(), p.rowOffset(i - from), p.columns());
            }
          });
      return new Contexts(rows);
    }

    private static double[] context(float[] p, int offset, int classes) {
      double[] row = new double[2 * classes];
      double sum = 0;
      for (int k = 0; k < classes; k++) {
        row[k] = Math.exp(p[offset + k]);
        sum += row[k];
      }
      double logSum = Math.log(sum);
      for (int k = 0; k < classes; k++) {
        row[k] /= sum;
        row[classes + k] = p[offset + k] - logSum;
      }
      return row;
    }

    /** Computes ½ Σ (a − c)(log a − log c). */
    double divergence(int i, Contexts other, int j) {
      double[] a = rows[i];
      double[] c = other.rows[j];
      int classes = a.length / 2;
      double sum = 0;
      for (int k = 0; k < classes; k++) {
        sum += (a[k] - c[k]) * (a[classes + k] - c[classes + k]);
      }
      return 0.5 * sum;
    }

    double[] nearest(Contexts centres) {
      double[] result = new double[rows.length];
      Arrays.fill(result, Double.POSITIVE_INFINITY);
      Parallel.forBlocks(
          rows.length,
          BLOCK,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              for (int c = 0; c < centres.rows.length; c++) {
                result[i] = Math.min(result[i], divergence(i, centres, c));
              }
            }
          });
      return result;
    }
  }
}
