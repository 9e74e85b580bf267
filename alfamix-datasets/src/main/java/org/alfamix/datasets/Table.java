package org.alfamix.datasets;

import java.util.List;
import org.alfamix.math.FloatMatrix;

/**
 * A labelled data set that fits in memory.
 *
 * @param name the name of the data set
 * @param features one row per item
 * @param labels the class of each item, numbered from 0
 * @param classNames the names of the classes, by class number
 */
public record Table(String name, FloatMatrix features, int[] labels, List<String> classNames) {

  public Table {
    if (labels.length != features.rows()) {
      throw new IllegalArgumentException(
          "%s: expected one label per row, found %d rows and %d labels."
              .formatted(name, features.rows(), labels.length));
    }
    classNames = List.copyOf(classNames);
  }

  public int size() {
    return labels.length;
  }

  public int classes() {
    return classNames.size();
  }
}
