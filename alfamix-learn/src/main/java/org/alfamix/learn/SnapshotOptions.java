package org.alfamix.learn;

/**
 * The optional contents of a snapshot, in addition to embeddings and head.
 *
 * @param dropoutSamples number of dropout samples; 0 for none
 * @param seed the seed of the dropout samples
 * @param network whether to include the whole network, for attacks on its inputs
 */
public record SnapshotOptions(int dropoutSamples, long seed, boolean network) {

  public SnapshotOptions {
    if (dropoutSamples < 0) {
      throw new IllegalArgumentException(
          "dropoutSamples must be at least 0, got " + dropoutSamples + ".");
    }
  }

  /** Only embeddings and head. */
  public static final SnapshotOptions PLAIN = new SnapshotOptions(0, 0, false);

  public SnapshotOptions withDropoutSamples(int samples, long fromSeed) {
    return new SnapshotOptions(samples, fromSeed, network);
  }

  public SnapshotOptions withNetwork() {
    return new SnapshotOptions(dropoutSamples, seed, true);
  }
}
