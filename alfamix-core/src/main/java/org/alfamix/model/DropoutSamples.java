package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/** Class probabilities of the unlabelled items under several draws of dropout. */
public interface DropoutSamples {

  /** Number of draws. */
  int samples();

  /** Probabilities of the items {@code from} to {@code to} under one draw, one row per item. */
  FloatMatrix probabilities(int sample, int from, int to);

  /** Samples that are there already, one matrix items × classes per draw. */
  static DropoutSamples of(FloatMatrix... samples) {
    FloatMatrix[] copy = samples.clone();
    return new DropoutSamples() {
      @Override
      public int samples() {
        return copy.length;
      }

      @Override
      public FloatMatrix probabilities(int sample, int from, int to) {
        return copy[sample].slice(from, to);
      }
    };
  }
}
