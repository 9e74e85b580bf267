package org.alfamix.spark;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What a {@link BatchSelector} has chosen, and how.
 *
 * @param picks id, rank (from 1 on), score, cluster, predicted and reason, in the order of ranks
 * @param unlabelled how many items there were to choose from
 * @param labelled how many had a label
 * @param skipped how many rows were no items
 * @param candidates how many items were eligible after the method's own test
 * @param cap the final cap of ALFA-Mix, NaN for other methods
 * @param toppedUp how many picks were drawn at random for want of candidates
 * @param remark what the user should know of the head, or null
 * @param notes how the method went about it where it had a choice; what was approximated is said
 *     here
 * @param seconds the time of each phase, in order
 * @param kernelSeconds time in the kernels, of all tasks together
 * @param broadcastBytes what every executor had to be told of head and labelled items
 */
public record SparkBatch(
    Dataset<Row> picks,
    long unlabelled,
    long labelled,
    long skipped,
    long candidates,
    double cap,
    int toppedUp,
    String remark,
    Map<String, String> notes,
    Map<String, Double> seconds,
    double kernelSeconds,
    long broadcastBytes) {

  public SparkBatch {
    notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    seconds = Collections.unmodifiableMap(new LinkedHashMap<>(seconds));
  }
}
