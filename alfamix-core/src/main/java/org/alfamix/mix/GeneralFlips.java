package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;

/**
 * The same test for a head of any kind: build the mixed points of every anchor and ask the head.
 * What {@link LinearFlips} reads off a straight line costs one forward pass per anchor and cap
 * here.
 */
public final class GeneralFlips {
  private final Head head;
  private final FloatMatrix anchors;

  public GeneralFlips(Head head, FloatMatrix anchors) {
    this.head = head;
    this.anchors = anchors;
  }

  /**
   * Which items change their prediction at this cap.
   *
   * @return for each row its flip by the first anchor that causes one, or null
   */
  public Flip[] flips(FloatMatrix items, double cap) {
    int features = items.columns();
    int[] predicted = predict(items);
    FloatMatrix directions = head.lossDirection(items, predicted);
    Kernels.normalizeRows(directions);
    Flip[] result = new Flip[items.rows()];
    double epsilon = cap / Math.sqrt(features);
    FloatMatrix mixed = FloatMatrix.zeros(items.rows(), features);
    for (int k = 0; k < anchors.rows(); k++) {
      for (int i = 0; i < items.rows(); i++) {
        mix(items, i, k, directions, epsilon, mixed);
      }
      int[] now = predict(mixed);
      for (int i = 0; i < now.length; i++) {
        if (result[i] == null && now[i] != predicted[i]) {
          result[i] = new Flip(cap, predicted[i], k, now[i]);
        }
      }
    }
    return result;
  }

  private void mix(
      FloatMatrix items, int i, int k, FloatMatrix directions, double epsilon, FloatMatrix mixed) {
    int features = items.columns();
    int z = items.rowOffset(i);
    int a = anchors.rowOffset(k);
    float squared = Kernels.squaredDistance(items.array(), z, anchors.array(), a, features);
    float tau = (float) (epsilon * Math.sqrt(squared));
    int out = mixed.rowOffset(i);
    int direction = directions.rowOffset(i);
    for (int d = 0; d < features; d++) {
      float value = items.array()[z + d];
      // Mixing two equal values moves nothing.
      boolean moves = value != anchors.array()[a + d];
      mixed.array()[out + d] = moves ? value + tau * directions.array()[direction + d] : value;
    }
  }

  private int[] predict(FloatMatrix embeddings) {
    FloatMatrix logits = head.logits(embeddings);
    int[] result = new int[logits.rows()];
    for (int i = 0; i < result.length; i++) {
      result[i] = Kernels.argmax(logits.array(), logits.rowOffset(i), logits.columns());
    }
    return result;
  }
}
