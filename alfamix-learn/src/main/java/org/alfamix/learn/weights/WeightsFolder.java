package org.alfamix.learn.weights;

import java.nio.file.Path;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.Fetcher;
import org.alfamix.io.DataException;

/**
 * The published weights in the data folder; missing ones are downloaded.
 *
 * @param dataFolder the folder of data sets and weights
 * @param listener receives the progress of downloads
 */
public record WeightsFolder(Path dataFolder, Fetcher.Listener listener) implements WeightsFinder {

  /** Finds or downloads weights, verifies them, and returns the path that a network reads. */
  @Override
  public Path find(PublishedWeights weights) {
    Location location = new Fetcher(dataFolder, listener).fetch(weights);
    try {
      location.verify();
    } catch (DataException e) {
      throw new DataException(e.getMessage() + " Download " + weights.name() + " again.", e);
    }
    return PublishedWeights.path(location);
  }
}
