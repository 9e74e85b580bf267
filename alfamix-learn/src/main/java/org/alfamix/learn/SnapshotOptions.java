package org.alfamix.learn;

/**
 * What a snapshot has beyond embeddings and head.
 *
 * @param dropoutSamples how often dropout is drawn; 0 for not at all
 * @param seed what those draws follow from
 * @param network whether the whole network comes along, for attacks on its inputs
 */
public record SnapshotOptions(int dropoutSamples, long seed, boolean network) {

  public SnapshotOptions {
    if (dropoutSamples < 0) {
      throw new IllegalArgumentException(
          "dropoutSamples must be at least 0, got " + dropoutSamples + ".");
    }
  }

  /** Embeddings and head alone. */
  public static final SnapshotOptions PLAIN = new SnapshotOptions(0, 0, false);

  public SnapshotOptions withDropoutSamples(int samples, long fromSeed) {
    return new SnapshotOptions(samples, fromSeed, network);
  }

  public SnapshotOptions withNetwork() {
    return new SnapshotOptions(dropoutSamples, seed, true);
  }
}
