package org.alfamix.strategy;

import java.util.Optional;
import org.alfamix.mix.Candidates;

/**
 * Diagnostics of ALFA-Mix.
 *
 * @param candidates the items whose prediction flips, each with its flip cap
 * @param clusters the cluster of each candidate, −1 if it was not clustered; empty if picks were
 *     not selected by clustering
 */
public record MixDiagnostics(Candidates candidates, Optional<int[]> clusters)
    implements Diagnostics {

  /** Returns the diagnostics of a selection; empty if another strategy made it. */
  public static Optional<MixDiagnostics> of(Selection selection) {
    return selection.diagnostics(MixDiagnostics.class);
  }

  /** Returns the final cap on the mixing ratio. */
  public double cap() {
    return candidates.cap();
  }
}
