package org.alfamix.model;

import java.util.List;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * Dropout samples as rows of probabilities.
 *
 * @param rows items × classes for each sample
 */
record RowSamples(List<Rows> rows) implements DropoutSamples {

  /**
   * Returns a subset of other samples.
   *
   * @param items the items to keep, ascending
   */
  static RowSamples subset(DropoutSamples all, int[] items) {
    return new RowSamples(
        IntStream.range(0, all.samples())
            .mapToObj(sample -> new Sample(all, sample).subset(items))
            .toList());
  }

  /** One dropout sample as rows. */
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
    return rows.size();
  }

  @Override
  public int size() {
    return rows.get(0).rows();
  }

  @Override
  public FloatMatrix probabilities(int sample, int from, int to) {
    return rows.get(sample).slice(from, to);
  }
}
