package org.alfamix.studio.source;

import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.learn.embed.TextModel;
import org.alfamix.math.FloatMatrix;

/** The input of a model for all items. */
public sealed interface ModelInput {

  /** Given embeddings, one row per item. */
  record Given(FloatMatrix embeddings) implements ModelInput {}

  /** Features of texts. */
  record Texts(TextModel model) implements ModelInput {}

  /** Pixels or columns. */
  record Raw(Inputs inputs, Scaling scaling) implements ModelInput {}
}
