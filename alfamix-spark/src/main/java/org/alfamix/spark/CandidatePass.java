package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.alfamix.math.Parallel;
import org.alfamix.mix.Candidates;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;

/**
 * The single pass of ALFA-Mix over the pool, which finds the items that flip and their caps. If
 * more items of a partition than the budget flip at a cap, the final cap cannot be larger, so the
 * partition skips larger caps.
 */
final class CandidatePass
    implements FlatMapFunction<Iterator<ReadBlock>, CandidatePass.CandidateBlock> {
  private static final long serialVersionUID = 1;

  private final Broadcast<SharedModel> model;
  private final double[] caps;
  private final int budget;

  CandidatePass(Broadcast<SharedModel> model, double[] caps, int budget) {
    this.model = model;
    this.caps = caps.clone();
    this.budget = budget;
  }

  /**
   * The items of a block that flip, with their flip caps.
   *
   * @param totals the totals of that block
   */
  @DefaultSerializer(JavaSerializer.class)
  record CandidateBlock(PoolBlock items, double[] caps, Totals totals) implements Serializable {

    CandidateBlock below(double cap) {
      int[] at = IntStream.range(0, caps.length).filter(i -> caps[i] < cap).toArray();
      double[] some = Arrays.stream(at).mapToDouble(i -> caps[i]).toArray();
      return new CandidateBlock(items.gather(at), some, totals);
    }

    /** Returns the number of flips below each of some caps. */
    long[] counts(double[] steps) {
      return Arrays.stream(steps)
          .mapToLong(step -> Arrays.stream(caps).filter(cap -> cap < step).count())
          .toArray();
    }
  }

  @Override
  public Iterator<CandidateBlock> call(Iterator<ReadBlock> blocks) {
    return new Iterator<>() {
      private final long[] counts = new long[caps.length];
      private int steps = caps.length;

      @Override
      public boolean hasNext() {
        return blocks.hasNext();
      }

      @Override
      public CandidateBlock next() {
        ReadBlock block = blocks.next();
        CandidateBlock found = Parallel.sequentially(() -> find(block, Arrays.copyOf(caps, steps)));
        long[] more = found.counts(caps);
        for (int s = 0; s < steps; s++) {
          counts[s] += more[s];
          if (counts[s] > budget) {
            steps = s + 1;
          }
        }
        return found;
      }
    };
  }

  private CandidateBlock find(ReadBlock block, double[] tried) {
    long start = System.nanoTime();
    PoolBlock items = block.items();
    if (items.size() == 0) {
      return new CandidateBlock(items, new double[0], Totals.of(block, 0));
    }
    Candidates found = Candidates.ofLinear(model.value().flips(), items.rows(), tried, budget);
    double[] flipCaps =
        IntStream.range(0, found.size()).mapToDouble(c -> found.flip(c).cap()).toArray();
    long nanos = System.nanoTime() - start;
    return new CandidateBlock(items.gather(found.items()), flipCaps, Totals.of(block, nanos));
  }
}
