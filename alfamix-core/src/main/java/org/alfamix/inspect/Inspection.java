package org.alfamix.inspect;

import java.util.List;

/**
 * The prediction of a model for one item, and the mixes that would change it.
 *
 * @param predicted the predicted class; −1 without a head
 * @param probabilities the class probabilities; empty without a head
 * @param classes the effect of mixing towards each class, smallest flip cap first; empty without a
 *     head or labelled items
 * @param nearest the nearest labelled items, nearest first
 */
public record Inspection(
    int predicted, double[] probabilities, List<ClassFlip> classes, List<Neighbour> nearest) {

  /**
   * The effect of mixing towards a class.
   *
   * @param anchor the class; −1 if the item moves along its gradient instead
   * @param labels number of labelled items of the class; if 0, the anchor is the mean of all
   *     labelled items
   * @param distance distance from the item to the anchor of the class
   * @param cap the smallest cap at which the prediction flips; infinite if it never flips or, with
   *     a non-linear head, does not flip up to {@link Inspector#MAX_CAP}
   * @param share that cap as a share of the distance
   * @param flipsTo the class it flips to; −1 if it does not flip
   * @param moves the features that change most up to the flip, largest change first
   */
  public record ClassFlip(
      int anchor,
      int labels,
      double distance,
      double cap,
      double share,
      int flipsTo,
      List<Move> moves) {

    /** Returns whether mixing towards the class flips the item. */
    public boolean flips() {
      return cap < Double.POSITIVE_INFINITY;
    }
  }

  /** A change of the value of a feature. */
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
