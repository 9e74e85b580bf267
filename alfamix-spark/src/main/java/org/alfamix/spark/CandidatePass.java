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
 * The one pass of ALFA-Mix over the pool: which items flip, and at what cap. A partition goes as
 * far as its own counts let it: where more of its items than the budget flip at a cap, no larger
 * one can be the final cap, and items that flip later need not be found.
 */
final class CandidatePass implements FlatMapFunction<Iterator<ReadBlock>, CandidatePass.Found> {
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
   * @param totals what else was met in that block
   */
  @DefaultSerializer(JavaSerializer.class)
  record Found(PoolBlock items, double[] caps, Totals totals) implements Serializable {

    Found below(double cap) {
      int[] at = IntStream.range(0, caps.length).filter(i -> caps[i] < cap).toArray();
      double[] some = Arrays.stream(at).mapToDouble(i -> caps[i]).toArray();
      return new Found(items.gather(at), some, totals);
    }

    /** How many flip below each of some caps. */
    long[] counts(double[] steps) {
      return Arrays.stream(steps)
          .mapToLong(step -> Arrays.stream(caps).filter(cap -> cap < step).count())
          .toArray();
    }
  }

  @Override
  public Iterator<Found> call(Iterator<ReadBlock> blocks) {
    return new Iterator<>() {
      private final long[] counts = new long[caps.length];
      private int steps = caps.length;

      @Override
      public boolean hasNext() {
        return blocks.hasNext();
      }

      @Override
      public Found next() {
        ReadBlock block = blocks.next();
        Found found = Parallel.alone(() -> find(block, Arrays.copyOf(caps, steps)));
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

  private Found find(ReadBlock block, double[] tried) {
    long start = System.nanoTime();
    PoolBlock items = block.items();
    if (items.size() == 0) {
      return new Found(items, new double[0], Totals.of(block, 0));
    }
    Candidates found = Candidates.ofLinear(model.value().flips(), items.rows(), tried, budget);
    double[] flipCaps =
        IntStream.range(0, found.size()).mapToDouble(c -> found.flip(c).cap()).toArray();
    long nanos = System.nanoTime() - start;
    return new Found(items.gather(found.items()), flipCaps, Totals.of(block, nanos));
  }
}
