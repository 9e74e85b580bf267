package org.alfamix.studio.source;

import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.math.FloatMatrix;

/** What a model sees of all items. */
public sealed interface Material {

  /** Embeddings that somebody else has made, a row per item. */
  record Given(FloatMatrix embeddings) implements Material {}

  /** Pixels or columns. */
  record Raw(Inputs inputs, Scaling scaling) implements Material {}
}
