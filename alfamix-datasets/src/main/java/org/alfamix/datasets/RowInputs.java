package org.alfamix.datasets;

import java.util.List;
import org.alfamix.math.FloatMatrix;

/** The rows of a table or the pixels of small images, in memory. */
public final class RowInputs implements Inputs {
  private final InputShape shape;
  private final FloatMatrix rows;
  private final List<String> ids;

  public RowInputs(InputShape shape, FloatMatrix rows) {
    this(shape, rows, null);
  }

  /**
   * @param ids the identifiers of the rows in their source, or null for their indices
   */
  public RowInputs(InputShape shape, FloatMatrix rows, List<String> ids) {
    if (shape.length() != rows.columns()) {
      throw new IllegalArgumentException(
          "Rows have %d values, expected %s.".formatted(rows.columns(), shape));
    }
    this.shape = shape;
    this.rows = rows;
    this.ids = ids == null ? null : List.copyOf(ids);
  }

  /** Creates inputs of a table, with row indices as identifiers. */
  public RowInputs(FloatMatrix rows) {
    this(InputShape.table(rows.columns()), rows);
  }

  @Override
  public int size() {
    return rows.rows();
  }

  @Override
  public InputShape shape() {
    return shape;
  }

  @Override
  public void read(int item, float[] target, int offset) {
    System.arraycopy(rows.array(), rows.rowOffset(item), target, offset, rows.columns());
  }

  @Override
  public String id(int item) {
    return ids == null ? Integer.toString(item) : ids.get(item);
  }

  @Override
  public String describe(int item) {
    return "row " + id(item);
  }
}
