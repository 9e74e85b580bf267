package org.alfamix.learn.embed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * Features on disk, each matrix under the hash of all it follows from: weights, network, what is
 * done to pixels, and the items. Whatever changes, the old file is not found, and nothing is ever
 * out of date.
 */
public final class FeatureCache {
  private static final String FORMAT = "alfamix features 1";
  private static final int BLOCK = 16;

  private final Path folder;

  /**
   * @param dataFolder where data sets are kept; features go into a folder in it
   */
  public FeatureCache(Path dataFolder) {
    this.folder = dataFolder.resolve("features");
  }

  /**
   * The features of all items: read where they are there, else made and kept.
   *
   * @param progress is told how many items are done, where they have to be made
   */
  public FloatMatrix features(Embedder embedder, Inputs inputs, IntConsumer progress) {
    Path file = folder.resolve(key(embedder, inputs) + ".npy");
    Optional<FloatMatrix> known = read(file, inputs.size(), embedder.features());
    if (known.isPresent()) {
      return known.get();
    }
    // What could not be kept is told before it is made, which may take hours.
    try {
      Files.createDirectories(folder);
      AtomicFile.requireWritable(file);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      throw new UncheckedIOException(
          folder + ": features cannot be kept there; another data folder may do",
          e instanceof IOException own ? own : new IOException(e.getMessage(), e));
    }
    FloatMatrix features = embedder.embed(inputs, progress);
    requireFinite(embedder, inputs, features);
    MessageDigest digest = Digest.begin();
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    files.put(
        file.getFileName().toString(),
        out -> {
          DigestOutputStream digested = new DigestOutputStream(out, digest);
          Npy.write(digested, features);
          digested.flush();
        });
    files.put(
        sum(file).getFileName().toString(),
        out -> out.write(HexFormat.of().formatHex(digest.digest()).getBytes(UTF_8)));
    AtomicFile.writeAll(folder, files);
    return features;
  }

  private static void requireFinite(Embedder embedder, Inputs inputs, FloatMatrix features) {
    for (int i = 0; i < features.rows(); i++) {
      int from = features.rowOffset(i);
      for (int at = from; at < from + features.columns(); at++) {
        if (!Float.isFinite(features.array()[at])) {
          throw new DataException(
              "%s makes features of %s that are no finite numbers."
                  .formatted(embedder.name(), inputs.describe(i)));
        }
      }
    }
  }

  /** Beside the features: what their file was like. */
  private static Path sum(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  /** What is damaged counts as not there: it can be made again. */
  private static Optional<FloatMatrix> read(Path file, int rows, int columns) {
    try {
      if (!Files.isRegularFile(file)
          || !Files.isRegularFile(sum(file))
          || !Files.readString(sum(file)).equals(Digest.of(file).sha256())) {
        return Optional.empty();
      }
      FloatMatrix features = Npy.open(file).readMatrix();
      return features.rows() == rows && features.columns() == columns
          ? Optional.of(features)
          : Optional.empty();
    } catch (DataException | IOException e) {
      return Optional.empty();
    }
  }

  /** The name of the file: what its numbers follow from, as a hash. */
  static String key(Embedder embedder, Inputs inputs) {
    byte[][] items = new byte[inputs.size()][];
    Parallel.forBlocks(
        items.length,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            MessageDigest digest = Digest.begin();
            inputs.digest(i, digest);
            items[i] = digest.digest();
          }
        });
    MessageDigest all = Digest.begin();
    all.update(
        String.join("\n", FORMAT, embedder.digest(), inputs.shape().toString(), "")
            .getBytes(UTF_8));
    Arrays.stream(items).forEach(all::update);
    return HexFormat.of().formatHex(all.digest());
  }
}
