package org.alfamix.strategy;

import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.model.Snapshot;

/** Gives the golden test access to internal results. */
public final class GoldenAccess {
  private GoldenAccess() {}

  public static OuterProductPoints gradients(Snapshot snapshot) {
    return Badge.gradients(snapshot);
  }
}
