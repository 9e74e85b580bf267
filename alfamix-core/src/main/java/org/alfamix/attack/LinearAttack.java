package org.alfamix.attack;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;
import org.alfamix.model.LinearHead;

/**
 * DeepFool for a linear head: one exact step to the nearest boundary, at distance (l_y − l_k) /
 * ‖W_k − W_y‖.
 */
final class LinearAttack {
  private static final int BLOCK = 256;

  private final LinearHead head;
  private final double stretch;

  /**
   * Inverse distances by predicted class, computed on demand, because few of many classes may be
   * predicted.
   */
  private final AtomicReferenceArray<float[]> inverses;

  LinearAttack(DeepFool options, LinearHead head) {
    this.head = head;
    this.stretch = 1 + options.overshoot();
    this.inverses = new AtomicReferenceArray<>(head.classes());
  }

  Perturbations run(Rows embeddings) {
    Perturbations result = Perturbations.of(embeddings.rows());
    Parallel.forBlocks(
        embeddings.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix logits = head.logits(embeddings.slice(from, to));
          for (int i = from; i < to; i++) {
            attack(logits, i - from, result, i);
          }
        });
    return result;
  }

  private void attack(FloatMatrix logits, int row, Perturbations result, int item) {
    int y = Kernels.argmax(logits.array(), logits.rowOffset(row), logits.columns());
    float[] inverses = inverseDistances(y);
    double least = Double.POSITIVE_INFINITY;
    int nearest = -1;
    for (int k = 0; k < inverses.length; k++) {
      if (inverses[k] > 0) {
        double distance = (double) (logits.get(row, y) - logits.get(row, k)) * inverses[k];
        if (distance < least) {
          least = distance;
          nearest = k;
        }
      }
    }
    if (nearest < 0) {
      result.set(item, 0, y, y);
    } else {
      result.set(item, least * least * stretch * stretch, y, nearest);
    }
  }

  /**
   * Returns 1 / ‖W_k − W_y‖ for every k; 0 if both classes have the same weights and thus no
   * boundary.
   */
  private float[] inverseDistances(int y) {
    float[] result = inverses.get(y);
    if (result == null) {
      FloatMatrix weights = head.weights();
      result = new float[weights.rows()];
      for (int k = 0; k < result.length; k++) {
        double squared =
            DeepFool.requireFinite(
                Kernels.squaredDistance(
                    weights.array(),
                    weights.rowOffset(y),
                    weights.array(),
                    weights.rowOffset(k),
                    weights.columns()));
        result[k] = squared > 0 ? (float) (1 / Math.sqrt(squared)) : 0;
      }
      inverses.set(y, result);
    }
    return result;
  }
}
