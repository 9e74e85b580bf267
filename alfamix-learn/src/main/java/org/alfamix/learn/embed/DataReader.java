package org.alfamix.learn.embed;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.DownloadListeners;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;

/**
 * Reads data sets as {@link DatasetReader} does, and turns their images or videos into features
 * where a backbone is named.
 *
 * @param folder where data sets, weights and features are kept
 * @param listener hears of downloads and features
 * @param device where features are computed
 */
public record DataReader(Path folder, Listener listener, String device) {
  /** The key of the backbone's hash, which a checkpoint remembers. */
  private static final String HASH = "backbone-hash";

  /** Hears of downloads and of features. */
  public interface Listener extends DownloadListeners {
    /** Tells nobody. */
    Listener SILENT =
        new Listener() {
          @Override
          public Download begin(String name) {
            return DownloadListeners.SILENT.begin(name);
          }

          @Override
          public FeatureProgress features(String backbone, String items) {
            return (done, all) -> {};
          }
        };

    /**
     * Returns the listener of features that are being computed, which is closed at their end.
     *
     * @param items what is turned into features: images or videos
     */
    FeatureProgress features(String backbone, String items);
  }

  /** Hears how many items have become features. */
  public interface FeatureProgress extends Backbones.Progress, AutoCloseable {
    @Override
    default void close() {}
  }

  /**
   * Reads a set by its name, or from a path.
   *
   * @param reading how data are read, by the keys of {@link DatasetReader}
   * @throws InvalidRequestException naming the key that makes no sense
   * @throws DataException where the data are missing or not as they should be
   */
  public Dataset read(String data, Map<String, String> reading) {
    DatasetReader reader = new DatasetReader(folder, listener);
    if (!reading.containsKey(DatasetReader.BACKBONE)) {
      if (reading.containsKey(DatasetReader.FRAME_POOLING)) {
        throw new InvalidRequestException(
            DatasetReader.FRAME_POOLING, "is for a backbone; add one.");
      }
      return reader.read(data, reading);
    }
    BackboneName name = BackboneName.parse(reading.get(DatasetReader.BACKBONE)).lasting();
    Map<String, String> others = new TreeMap<>(reading);
    int side = DatasetReader.side(others);
    String made = others.remove(HASH);
    if (made != null && !made.equals(backbones().hash(name, side))) {
      throw new DataException(
          "%s, or the size of images, is not what the model has learnt from any more: its features are"
                  .formatted(name)
              + " others. Train anew.");
    }
    if (!name.takesClips() && reading.containsKey(DatasetReader.STRIDE)) {
      throw new InvalidRequestException(
          DatasetReader.STRIDE,
          "is for networks that take videos; %s takes images: evenly spaced frames."
              .formatted(name));
    }
    Dataset read = reader.read(data, others);
    FrameFeatures frames =
        new FrameFeatures(
            DatasetReader.integer(reading, DatasetReader.FRAMES, FrameFeatures.DEFAULT.frames()),
            FrameFeatures.Pooling.parse(
                reading.getOrDefault(
                    DatasetReader.FRAME_POOLING, FrameFeatures.DEFAULT.pooling().toString())));
    String items = read.shape().video() ? "videos" : "images";
    try (FeatureProgress progress = listener.features(name.toString(), items)) {
      return backbones().features(read, name, side, frames, progress);
    }
  }

  /** Returns how data were read, for a checkpoint to remember: also what the backbone was like. */
  public Map<String, String> remembered(Map<String, String> reading) {
    Map<String, String> all = new TreeMap<>(reading);
    if (reading.containsKey(DatasetReader.BACKBONE)) {
      BackboneName name = BackboneName.parse(reading.get(DatasetReader.BACKBONE));
      all.put(HASH, backbones().hash(name, DatasetReader.side(reading)));
    }
    return all;
  }

  /** Finds published weights, or downloads them, and checks them. */
  public Path weights(PublishedWeights weights) {
    try (DownloadListeners.Download download = listener.begin(weights.name())) {
      return new WeightsFolder(folder, download).find(weights);
    }
  }

  /** Makes features of images and videos, on all processors. */
  private Backbones backbones() {
    return new Backbones(folder, this::weights, Runtime.getRuntime().availableProcessors(), device);
  }
}
