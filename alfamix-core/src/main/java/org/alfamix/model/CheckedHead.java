package org.alfamix.model;

import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;

/**
 * A foreign head whose answers are checked: a NaN from it must not travel on and be blamed on us.
 */
record CheckedHead(Head head) implements Head {

  @Override
  public int features() {
    return head.features();
  }

  @Override
  public int classes() {
    return head.classes();
  }

  @Override
  public FloatMatrix logits(FloatMatrix embeddings) {
    return check(head.logits(embeddings), embeddings.rows(), classes(), "logits of the head");
  }

  @Override
  public FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    return check(
        head.lossDirection(embeddings, labels),
        embeddings.rows(),
        features(),
        "loss direction of the head");
  }

  @Override
  public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
    return check(
        head.lossGradient(embeddings, labels),
        embeddings.rows(),
        features(),
        "loss gradient of the head");
  }

  static FloatMatrix check(FloatMatrix answer, int rows, int columns, String name) {
    if (answer.rows() != rows || answer.columns() != columns) {
      throw new InvalidDataException(
          "%s: %d x %d, expected %d x %d."
              .formatted(name, answer.rows(), answer.columns(), rows, columns));
    }
    return answer.requireFinite(name);
  }
}
