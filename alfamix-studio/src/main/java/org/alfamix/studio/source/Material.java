package org.alfamix.studio.source;

import org.alfamix.dataset.Inputs;
import org.alfamix.dataset.Scaling;
import org.alfamix.math.FloatMatrix;

/** What a model sees of all items. */
public sealed interface Material {

  /** Embeddings that somebody else has made, a row per item. */
  record Given(FloatMatrix embeddings) implements Material {}

  /** Pixels or columns. */
  record Raw(Inputs inputs, Scaling scaling) implements Material {}
}
