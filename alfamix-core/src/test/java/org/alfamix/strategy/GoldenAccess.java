package org.alfamix.strategy;

import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.model.Snapshot;

/** Opens what the golden test compares and users need not see. */
public final class GoldenAccess {
  private GoldenAccess() {}

  public static OuterProductPoints gradients(Snapshot snapshot) {
    return Badge.gradients(snapshot);
  }
}
