package org.alfamix.model;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Dropout samples of some items of a pool. */
final class DropoutSubset implements DropoutSamples {
  private final Rows[] samples;

  /**
   * @param items the items that are kept, ascending
   */
  DropoutSubset(DropoutSamples all, int[] items) {
    this.samples = new Rows[all.samples()];
    for (int s = 0; s < samples.length; s++) {
      samples[s] = new Sample(all, s).subset(items);
    }
  }

  /** One draw of dropout as rows, one for each item. */
  private record Sample(DropoutSamples all, int sample) implements Rows {
    @Override
    public int rows() {
      return all.size();
    }

    @Override
    public int columns() {
      return all.size() == 0 ? 0 : all.probabilities(sample, 0, 1).columns();
    }

    @Override
    public FloatMatrix slice(int from, int to) {
      return all.probabilities(sample, from, to);
    }
  }

  @Override
  public int samples() {
    return samples.length;
  }

  @Override
  public int size() {
    return samples[0].rows();
  }

  @Override
  public FloatMatrix probabilities(int sample, int from, int to) {
    return samples[sample].slice(from, to);
  }
}
