package org.alfamix.model;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Rows;
import org.alfamix.math.Seeds;

/**
 * Dropout before the head: each sample zeroes random features of the cached embeddings and
 * evaluates the head again, so no sample requires a forward pass through the network.
 *
 * @param head the head that maps embeddings to logits
 * @param embeddings embeddings of the unlabelled items
 * @param samples number of samples
 * @param rate share of features that are dropped; the others are scaled by 1 / (1 − rate)
 * @param seed random seed of the masks
 */
public record HeadDropout(Head head, Rows embeddings, int samples, double rate, long seed)
    implements DropoutSamples {

  public HeadDropout {
    if (samples < 1) {
      throw new IllegalArgumentException("samples must be at least 1, got " + samples + ".");
    }
    if (!(rate >= 0 && rate < 1)) {
      throw new IllegalArgumentException("rate must be in [0, 1), got " + rate + ".");
    }
  }

  @Override
  public int size() {
    return embeddings.rows();
  }

  @Override
  public FloatMatrix probabilities(int sample, int from, int to) {
    FloatMatrix block = embeddings.slice(from, to).copy();
    float[] x = block.array();
    float scale = (float) (1 / (1 - rate));
    for (int i = 0; i < block.rows(); i++) {
      // One generator per sample and item, so that masks do not depend on the block size.
      SplittableRandom random = Seeds.at(seed, sample, from + i);
      int offset = block.rowOffset(i);
      for (int d = offset; d < offset + block.columns(); d++) {
        x[d] = random.nextDouble() < rate ? 0 : x[d] * scale;
      }
    }
    FloatMatrix probabilities = head.logits(block);
    Kernels.softmaxRows(probabilities);
    return probabilities;
  }
}
