package org.alfamix.inspect;

import java.util.List;

/**
 * What a model makes of one item, and what would change its mind.
 *
 * @param predicted the predicted class; −1 where there is no head
 * @param probabilities by class; empty where there is no head
 * @param classes what mixing towards each class does, the class that flips the item first comes
 *     first; empty where there is no head or nothing is labelled
 * @param nearest the nearest labelled items, nearest first
 */
public record Inspection(
    int predicted, double[] probabilities, List<ClassFlip> classes, List<Neighbour> nearest) {

  /**
   * What mixing towards a class does.
   *
   * @param anchor the class; −1 where nothing is mixed and the item moves along its gradient
   * @param labels how many labelled items the class has; 0 where the mean of all stands for it
   * @param distance from the item to the class's anchor
   * @param cap the smallest cap at which the prediction flips; infinite where it never does, or,
   *     with a head that is not linear, not up to {@link Inspector#MOST_CAP}
   * @param share that cap as a share of the distance
   * @param becomes the class it flips to; −1 where it never does
   * @param moves the features that move most on the way to the flip, the largest move first
   */
  public record ClassFlip(
      int anchor,
      int labels,
      double distance,
      double cap,
      double share,
      int becomes,
      List<Move> moves) {

    /** Whether any amount of mixing flips the item. */
    public boolean flips() {
      return cap < Double.POSITIVE_INFINITY;
    }
  }

  /** A feature that moves from one value to another. */
  public record Move(int feature, double from, double to) {}

  /**
   * A labelled item.
   *
   * @param index its row among the labelled items
   */
  public record Neighbour(int index, int label, double distance) {}

  public Inspection {
    classes = List.copyOf(classes);
    nearest = List.copyOf(nearest);
  }
}
