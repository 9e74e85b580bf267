package org.alfamix.cluster;

/**
 * Decides which points may still be picked while a batch grows one pick at a time. A point that is
 * refused once is refused for good.
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
