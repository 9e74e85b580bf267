package org.alfamix.studio.engine;

import java.util.List;

/** Where items lie for the model, in two dimensions, of which at most a few thousand are shown. */
public record ItemMap(List<Point> points) {

  /**
   * An item on the map.
   *
   * @param predicted place of the predicted class; −1 where there is no model yet
   * @param candidate whether the method thought of it
   */
  public record Point(int item, float x, float y, int predicted, boolean candidate) {}

  public ItemMap {
    points = List.copyOf(points);
  }

  static final ItemMap EMPTY = new ItemMap(List.of());
}
