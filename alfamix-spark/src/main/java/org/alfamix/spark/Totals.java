package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.Set;
import java.util.TreeSet;
import org.alfamix.math.Kernels;

/**
 * The totals of a pass over the pool.
 *
 * @param rows number of items
 * @param bad the invalid rows
 * @param kernels descriptions of the kernels that ran
 * @param nanos time in the kernels, summed over all tasks, in nanoseconds
 */
@DefaultSerializer(JavaSerializer.class)
record Totals(long rows, BadRows bad, Set<String> kernels, long nanos) implements Serializable {
  static final Totals NONE = new Totals(0, BadRows.NONE, Set.of(), 0);

  static Totals of(ReadBlock block, long nanos) {
    return new Totals(
        block.items().size(), block.bad(), new TreeSet<>(Set.of(Kernels.description())), nanos);
  }

  Totals and(Totals other) {
    Set<String> both = new TreeSet<>(kernels);
    both.addAll(other.kernels);
    return new Totals(rows + other.rows, bad.and(other.bad), both, nanos + other.nanos);
  }
}
