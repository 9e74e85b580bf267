package org.alfamix.model;

import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;

/** A custom head whose results are checked, so that a NaN is reported where it occurs. */
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

  static FloatMatrix check(FloatMatrix result, int rows, int columns, String name) {
    if (result.rows() != rows || result.columns() != columns) {
      throw new InvalidDataException(
          "%s: expected %d x %d, found %d x %d."
              .formatted(name, rows, columns, result.rows(), result.columns()));
    }
    return result.requireFinite(name);
  }
}
