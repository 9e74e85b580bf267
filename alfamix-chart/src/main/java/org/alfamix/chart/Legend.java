package org.alfamix.chart;

import java.util.ArrayList;
import java.util.List;

/** Where the names of a legend go: in rows, as many to a row as fit. */
public final class Legend {
  private static final double LETTER = 7;
  private static final double KEY = 23;
  private static final double GAP = 12;

  private Legend() {}

  /** For each name how far from the left, and in which row. */
  public static List<double[]> rows(List<String> names, double width) {
    return rows(names, width, KEY, GAP);
  }

  /** With keys and gaps of another width. */
  public static List<double[]> rows(List<String> names, double width, double key, double gap) {
    List<double[]> places = new ArrayList<>();
    double left = 0;
    int row = 0;
    for (String name : names) {
      double wide = key + name.length() * LETTER;
      if (left > 0 && left + wide > width) {
        left = 0;
        row++;
      }
      places.add(new double[] {left, row});
      left += wide + gap;
    }
    return places;
  }
}
