package org.alfamix.learn.weights;

import java.nio.file.Path;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.Fetcher;
import org.alfamix.io.DataException;

/**
 * Where published weights are kept; what is not there is fetched.
 *
 * @param dataFolder where data sets are kept, too
 * @param listener hears how fetching goes
 */
public record WeightsFolder(Path dataFolder, Fetcher.Listener listener) implements WeightsFinder {

  /** Finds weights or brings them in, checks them, and says what a network is to read. */
  @Override
  public Path find(PublishedWeights weights) {
    Location location = new Fetcher(dataFolder, listener).fetch(weights);
    try {
      location.verify();
    } catch (DataException e) {
      throw new DataException(
          e.getMessage() + " 'alfamix data fetch " + weights.name() + "' brings it in again.", e);
    }
    return PublishedWeights.path(location);
  }
}
