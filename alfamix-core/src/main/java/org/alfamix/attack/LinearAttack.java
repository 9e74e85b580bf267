package org.alfamix.attack;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;
import org.alfamix.model.LinearHead;

/**
 * DeepFool where nothing bends: one step to the nearest boundary, at distance (l_y − l_k) / ‖W_k −
 * W_y‖.
 */
final class LinearAttack {
  private static final int BLOCK = 256;

  private final LinearHead head;
  private final double stretch;

  LinearAttack(DeepFool options, LinearHead head) {
    this.head = head;
    this.stretch = 1 + options.overshoot();
  }

  Perturbations run(Rows embeddings) {
    Perturbations result = Perturbations.of(embeddings.rows());
    FloatMatrix inverses = inverseDistances();
    Parallel.forBlocks(
        embeddings.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix logits = head.logits(embeddings.slice(from, to));
          for (int i = from; i < to; i++) {
            attack(logits, i - from, inverses, result, i);
          }
        });
    return result;
  }

  private void attack(
      FloatMatrix logits, int row, FloatMatrix inverses, Perturbations result, int item) {
    int y = Kernels.argmax(logits.array(), logits.rowOffset(row), logits.columns());
    double least = Double.POSITIVE_INFINITY;
    int nearest = y;
    for (int k = 0; k < logits.columns(); k++) {
      if (inverses.get(y, k) > 0) {
        double distance = (double) (logits.get(row, y) - logits.get(row, k)) * inverses.get(y, k);
        if (distance < least) {
          least = distance;
          nearest = k;
        }
      }
    }
    result.set(item, least * least * stretch * stretch, y, nearest);
  }

  /** 1 / ‖W_k − W_y‖; 0 where two classes have the same weights, and so no boundary. */
  private FloatMatrix inverseDistances() {
    FloatMatrix weights = head.weights();
    FloatMatrix result = FloatMatrix.zeros(weights.rows(), weights.rows());
    for (int y = 0; y < weights.rows(); y++) {
      for (int k = 0; k < y; k++) {
        float squared =
            Kernels.squaredDistance(
                weights.array(),
                weights.rowOffset(y),
                weights.array(),
                weights.rowOffset(k),
                weights.columns());
        float inverse = squared > 0 ? (float) (1 / Math.sqrt(squared)) : 0;
        result.set(y, k, inverse);
        result.set(k, y, inverse);
      }
    }
    return result;
  }
}
