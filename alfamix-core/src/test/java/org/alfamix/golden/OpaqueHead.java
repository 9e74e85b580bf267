package org.alfamix.golden;

import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;

/** Hides the type of a head, so that strategies must use the general path. */
public record OpaqueHead(Head head) implements Head {
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
    return head.logits(embeddings);
  }

  @Override
  public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
    return head.lossGradient(embeddings, labels);
  }

  @Override
  public FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    return head.lossDirection(embeddings, labels);
  }
}
