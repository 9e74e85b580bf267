package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * Lloyd's iteration on inner products only: the row of a centre is the mean of its members' rows of
 * the Gram matrix, because ⟨x, c⟩ is the mean of ⟨x, member⟩. It works for points without
 * coordinates and costs n additions per member, while centres as vectors cost n · features
 * multiplications per centre.
 */
final class GramLloyd extends TableLloyd {
  private final GramMatrix gram;

  GramLloyd(Points points, GramMatrix gram, int clusters, Assignment start) {
    super(points, clusters, start);
    this.gram = gram;
  }

  @Override
  void moveCentres(int[] changed) {
    int n = gram.size();
    Parallel.forBlocks(
        changed.length,
        16,
        (from, to) -> {
          for (int c = from; c < to; c++) {
            int j = changed[c];
            Arrays.fill(products, j * n, j * n + n, 0);
            for (int m = starts[j]; m < starts[j + 1]; m++) {
              Kernels.axpy(1, gram.array(), members[m] * n, products, j * n, n);
            }
            double sum = 0;
            for (int m = starts[j]; m < starts[j + 1]; m++) {
              sum += products[j * n + members[m]];
            }
            squaredNorms[j] = (float) (sum / ((double) sizes[j] * sizes[j]));
            scales[j] = 1f / sizes[j];
          }
        });
  }
}
