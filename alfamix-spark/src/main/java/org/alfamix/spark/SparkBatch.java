package org.alfamix.spark;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The batch of a {@link BatchSelector}, with statistics of the selection.
 *
 * @param picks id, rank (starting with 1), score, cluster, predicted and reason, by rank
 * @param unlabelled number of items that could be selected
 * @param labelled number of labelled items
 * @param skipped number of invalid rows
 * @param candidates number of items that passed the test of the method
 * @param cap the final cap of ALFA-Mix, NaN for other methods
 * @param toppedUp number of picks at random because there were too few candidates
 * @param remark a note for the user on the head, or null
 * @param notes notes on the computation by topic, including all approximations
 * @param seconds the time of each phase, in order
 * @param kernelSeconds time in the kernels, summed over all tasks
 * @param broadcastBytes size of the head and the labelled items that every executor received
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
