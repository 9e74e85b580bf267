package org.alfamix.cluster;

/**
 * A constraint on the points of a batch that is picked one point at a time. A rejected point must
 * stay rejected.
 */
public interface PickConstraint {
  /** Allows every point. */
  PickConstraint NONE =
      new PickConstraint() {
        @Override
        public boolean allows(int point) {
          return true;
        }

        @Override
        public void picked(int point) {}
      };

  /** Returns whether a point may be picked next. */
  boolean allows(int point);

  /** Records a pick. */
  void picked(int point);
}
