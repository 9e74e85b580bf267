package org.alfamix.chart;

import java.util.ArrayList;
import java.util.List;

/** Arranges the names of a legend in rows, with as many names per row as fit. */
public final class Legend {
  private static final double CHARACTER_WIDTH = 7;
  private static final double KEY_WIDTH = 23;
  private static final double GAP = 12;

  private Legend() {}

  /** Returns the offset from the left and the row of each name. */
  public static List<double[]> rows(List<String> names, double width) {
    return rows(names, width, KEY_WIDTH, GAP);
  }

  /** Returns the offset and the row of each name, for keys and gaps of a given width. */
  public static List<double[]> rows(List<String> names, double width, double key, double gap) {
    List<double[]> places = new ArrayList<>();
    double left = 0;
    int row = 0;
    for (String name : names) {
      double wide = key + name.length() * CHARACTER_WIDTH;
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
