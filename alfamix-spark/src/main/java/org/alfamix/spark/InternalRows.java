package org.alfamix.spark;

import java.util.Iterator;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import scala.reflect.ClassTag$;

/**
 * Reads the columns id, embedding and label of a table in Spark's internal format: an embedding is
 * then copied as a whole, whereas a {@code Row} would create an object for every number. The only
 * class that uses internal classes of Spark, which may change in any release.
 */
final class InternalRows {
  private static final int ID = 0;
  private static final int EMBEDDING = 1;
  private static final int LABEL = 2;

  private InternalRows() {}

  /** A row; the same object is used for all rows of a partition. */
  static final class TableRow {
    private final boolean textIds;
    private InternalRow row;
    private ArrayData embedding;

    private TableRow(boolean textIds) {
      this.textIds = textIds;
    }

    private TableRow of(InternalRow next) {
      row = next;
      embedding = next.isNullAt(EMBEDDING) ? null : next.getArray(EMBEDDING);
      return this;
    }

    /** Returns the id, or null if it is missing. */
    Comparable<?> id() {
      if (row.isNullAt(ID)) {
        return null;
      }
      if (textIds) {
        return row.getUTF8String(ID).toString();
      }
      return row.getLong(ID);
    }

    boolean hasEmbedding() {
      return embedding != null;
    }

    /** Returns the number of values of the embedding. */
    int length() {
      return embedding.numElements();
    }

    /** Returns the position of the first null of the embedding, or −1. */
    int firstNull() {
      for (int d = 0; d < embedding.numElements(); d++) {
        if (embedding.isNullAt(d)) {
          return d;
        }
      }
      return -1;
    }

    float[] embedding() {
      return embedding.toFloatArray();
    }

    /** Returns the label of a row that has one. */
    String label() {
      return row.getUTF8String(LABEL).toString();
    }
  }

  /**
   * Applies a function to the rows of each partition.
   *
   * @param table the columns id, embedding and, if the function reads it, label
   * @param textIds whether ids are text or long
   */
  static <T> JavaRDD<T> mapPartitions(
      Dataset<Row> table, boolean textIds, FlatMapFunction<Iterator<TableRow>, T> function) {
    if (!(table instanceof org.apache.spark.sql.classic.Dataset<Row> classic)) {
      throw new UnsupportedOperationException(
          "Spark Connect is not supported; run the selection in the driver of Spark.");
    }
    return JavaRDD.fromRDD(
            classic.queryExecution().toRdd(),
            ClassTag$.MODULE$.<InternalRow>apply(InternalRow.class))
        .mapPartitions(rows -> function.call(views(rows, new TableRow(textIds))));
  }

  private static Iterator<TableRow> views(Iterator<InternalRow> rows, TableRow view) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public TableRow next() {
        return view.of(rows.next());
      }
    };
  }
}
