package org.alfamix.learn.embed;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.DownloadListeners;
import org.alfamix.datasets.Scaling;
import org.alfamix.datasets.TextFiles;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;
import org.alfamix.math.FloatMatrix;

/**
 * Reads data sets like {@link DatasetReader}, and replaces their images or videos by features if a
 * backbone is named.
 *
 * @param folder the folder of data sets, weights and features
 * @param listener receives the progress of downloads and features
 * @param device the device that computes features
 */
public record BackboneDatasetReader(Path folder, Listener listener, String device) {
  /** The key of the backbone's hash in a checkpoint. */
  private static final String HASH = "backbone-hash";

  /** Receives the progress of downloads and features. */
  public interface Listener extends DownloadListeners {
    /** Ignores all progress. */
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
     * Returns a listener for one computation of features; it is closed at the end.
     *
     * @param items the kind of the items: images, videos or texts
     */
    FeatureProgress features(String backbone, String items);
  }

  /** Receives the number of items whose features have been computed. */
  public interface FeatureProgress extends Backbones.Progress, AutoCloseable {
    @Override
    default void close() {}
  }

  /**
   * Reads a data set by its name, or from a path.
   *
   * @param reading the options, by the keys of {@link DatasetReader}
   * @throws InvalidRequestException if an option is invalid; it names the key
   * @throws DataException if the data are missing or invalid
   */
  public Dataset read(String data, Map<String, String> reading) {
    DatasetReader reader = new DatasetReader(folder, listener);
    Optional<Dataset> texts = texts(reader, data, reading);
    if (texts.isPresent()) {
      return texts.get();
    }
    if (!reading.containsKey(DatasetReader.BACKBONE)) {
      if (reading.containsKey(DatasetReader.FRAME_POOLING)) {
        throw new InvalidRequestException(
            DatasetReader.FRAME_POOLING, "requires a backbone; add one.");
      }
      return reader.read(data, reading);
    }
    BackboneName name = BackboneName.parse(reading.get(DatasetReader.BACKBONE)).withAbsolutePath();
    Map<String, String> others = new TreeMap<>(reading);
    int side = DatasetReader.side(others);
    String expectedHash = others.remove(HASH);
    if (expectedHash != null && !expectedHash.equals(backbones().hash(name, side))) {
      throw new DataException(
          "%s or the image size has changed since the model was trained. Train a new model."
              .formatted(name));
    }
    if (!name.takesClips() && reading.containsKey(DatasetReader.STRIDE)) {
      throw new InvalidRequestException(
          DatasetReader.STRIDE,
          "applies only to networks that take videos; %s takes evenly spaced frames as images."
              .formatted(name));
    }
    Dataset read = reader.read(data, others);
    FrameFeatures frames =
        new FrameFeatures(
            DatasetReader.integer(reading, DatasetReader.FRAMES, FrameFeatures.DEFAULT.frames()),
            FrameFeatures.Pooling.parse(
                reading.getOrDefault(
                    DatasetReader.FRAME_POOLING, FrameFeatures.DEFAULT.pooling().toString())));
    String items = read.shape().isVideo() ? "videos" : "images";
    try (FeatureProgress progress = listener.features(name.toString(), items)) {
      return backbones().features(read, name, side, frames, progress);
    }
  }

  /** Returns the data as features if the items are texts; empty for other data. */
  private Optional<Dataset> texts(DatasetReader reader, String data, Map<String, String> reading) {
    if (!readsTexts(data, reading)) {
      rejectTextOptions(data, reading);
      return Optional.empty();
    }
    TextFeatures features = textFeatures(reading);
    Map<String, String> others = new TreeMap<>(reading);
    others.remove(DatasetReader.BACKBONE);
    others.keySet().removeAll(EncoderOptions.KEYS);
    String expectedHash = others.remove(HASH);
    if (expectedHash != null && !expectedHash.equals(hash(features))) {
      throw new DataException(
          "%s has changed since the model was trained. Train a new model."
              .formatted(features.name()));
    }
    Dataset read = reader.read(data, others);
    List<FloatMatrix> parts;
    try {
      parts = features.of(List.of(read.pool().inputs(), read.test().inputs()), listener);
    } catch (DataException e) {
      throw e.within(read.name());
    }
    Part pool = part(parts.get(0), read.pool());
    return Optional.of(
        new Dataset(
            read.name(),
            read.classNames(),
            pool,
            part(parts.get(1), read.test()),
            Scaling.none(pool.inputs().shape())));
  }

  private TextFeatures textFeatures(Map<String, String> reading) {
    String name = reading.getOrDefault(DatasetReader.BACKBONE, TextFeatures.DEFAULT);
    TextFeatures features =
        new TextFeatures(
            folder, TextFeatures.withAbsolutePath(name), EncoderOptions.parse(reading));
    if (features.areFittedToPool()) {
      for (String key : EncoderOptions.KEYS) {
        if (reading.containsKey(key)) {
          throw new InvalidRequestException(
              key, "applies only to pre-trained encoders, not to %s.".formatted(name));
        }
      }
    }
    return features;
  }

  private static void rejectTextOptions(String data, Map<String, String> reading) {
    String features = reading.getOrDefault(DatasetReader.BACKBONE, "");
    if (TextFeatures.isBuiltIn(features)) {
      throw new DataException(
              "%s: %s are features of texts, but the items are not texts."
                  .formatted(data, features))
          .advise("name the column with the texts", "textColumn");
    }
    for (String key : EncoderOptions.KEYS) {
      if (reading.containsKey(key)) {
        throw new InvalidRequestException(key, "applies only to texts.");
      }
    }
  }

  /** Returns whether the items are texts. */
  public static boolean readsTexts(String data, Map<String, String> reading) {
    return reading.containsKey(DatasetReader.TEXT)
        || Datasets.named(data).filter(Datasets::hasTexts).isPresent()
        || Datasets.named(data).isEmpty()
            && !data.isBlank()
            && TextFiles.areTexts(DatasetReader.path(data));
  }

  private static Part part(FloatMatrix features, Part texts) {
    return new Part(new FeatureInputs(features, texts.inputs()), texts.labels());
  }

  /**
   * Returns whether the features of each item depend on all items of the pool, so that a new item
   * changes the features of others.
   */
  public boolean areFeaturesFittedToPool(String data, Map<String, String> reading) {
    return readsTexts(data, reading)
        && (textFeatures(reading).areFittedToPool() || reading.containsKey(DatasetReader.NUMBERS));
  }

  /** Returns the options of reading with a hash of the backbone, if any, for a checkpoint. */
  public Map<String, String> withBackboneHash(String data, Map<String, String> reading) {
    Map<String, String> all = new TreeMap<>(reading);
    if (readsTexts(data, reading)) {
      TextFeatures features = textFeatures(reading);
      all.put(DatasetReader.BACKBONE, features.name());
      // N-grams are fitted to the pool, which a checkpoint identifies.
      if (!features.areFittedToPool()) {
        all.put(HASH, hash(features));
      }
    } else if (reading.containsKey(DatasetReader.BACKBONE)) {
      BackboneName name = BackboneName.parse(reading.get(DatasetReader.BACKBONE));
      all.put(HASH, backbones().hash(name, DatasetReader.side(reading)));
    }
    return all;
  }

  private static String hash(TextFeatures features) {
    try (Embedder encoder = TextEncoderEngine.find().open(features.name(), features.options())) {
      MessageDigest digest = Digest.newSha256();
      return HexFormat.of()
          .formatHex(digest.digest(encoder.digest().getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** Finds or downloads published weights, and verifies them. */
  public Path weights(PublishedWeights weights) {
    try (DownloadListeners.Download download = listener.begin(weights.name())) {
      return new WeightsFolder(folder, download).find(weights);
    }
  }

  /** Returns backbones that compute on all processors. */
  private Backbones backbones() {
    return new Backbones(folder, this::weights, Runtime.getRuntime().availableProcessors(), device);
  }
}
