package org.alfamix.studio.engine;

import java.util.List;

/** The items in the plane of the model's principal components; at most a few thousand are shown. */
public record ItemMap(List<Point> points) {

  /**
   * An item on the map.
   *
   * @param predicted place of the predicted class; −1 before the first model
   * @param candidate whether the strategy considered it
   */
  public record Point(int item, float x, float y, int predicted, boolean candidate) {}

  public ItemMap {
    points = List.copyOf(points);
  }

  static final ItemMap EMPTY = new ItemMap(List.of());
}
