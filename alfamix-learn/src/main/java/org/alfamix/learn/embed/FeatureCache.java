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
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * A cache of features on disk. The name of each file is a hash of everything that its features
 * depend on: weights, network, scaling of pixels, and the items. After a change the old file is no
 * longer found, so that the cache is never out of date.
 */
public final class FeatureCache {
  private static final String FORMAT = "alfamix features 1";
  private static final int BLOCK = 16;

  private final Path folder;

  /**
   * @param dataFolder the folder of data sets; features are stored in a subfolder
   */
  public FeatureCache(Path dataFolder) {
    this.folder = dataFolder.resolve("features");
  }

  /**
   * Returns the features of all items: reads them if they are in the cache, otherwise computes and
   * stores them.
   *
   * @param progress called with the number of items computed so far, if features are computed
   */
  public FloatMatrix features(Embedder embedder, Inputs inputs, IntConsumer progress) {
    Path file = folder.resolve(key(embedder, inputs) + ".npy");
    Optional<FloatMatrix> known = read(file, inputs.size(), embedder.features());
    if (known.isPresent()) {
      return known.get();
    }
    // Checked before the features are computed, which may take hours.
    try {
      Files.createDirectories(folder);
      AtomicFile.requireWritable(file);
    } catch (IOException | UncheckedIOException | InvalidRequestException e) {
      throw new UncheckedIOException(
          "%s: features cannot be stored: %s. Choose another data folder."
              .formatted(folder, e.getMessage().replaceFirst("\\.$", "")),
          e instanceof IOException own ? own : new IOException(e.getMessage(), e));
    }
    FloatMatrix features = embedder.embed(inputs, progress);
    requireFinite(embedder, inputs, features);
    MessageDigest digest = Digest.newSha256();
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    files.put(
        file.getFileName().toString(),
        out -> {
          DigestOutputStream digested = new DigestOutputStream(out, digest);
          Npy.write(digested, features);
          digested.flush();
        });
    files.put(
        checksumFile(file).getFileName().toString(),
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
              "%s: the features of %s are not finite numbers."
                  .formatted(embedder.name(), inputs.describe(i)));
        }
      }
    }
  }

  /** Returns the file with the checksum of a file of features. */
  private static Path checksumFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  /** Reads cached features; empty if they are missing or damaged, since they can be recomputed. */
  private static Optional<FloatMatrix> read(Path file, int rows, int columns) {
    try {
      if (!Files.isRegularFile(file)
          || !Files.isRegularFile(checksumFile(file))
          || !Files.readString(checksumFile(file)).equals(Digest.of(file).sha256())) {
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

  /** Returns the name of a file: a hash of everything that the features depend on. */
  static String key(Embedder embedder, Inputs inputs) {
    byte[][] items = new byte[inputs.size()][];
    Parallel.forBlocks(
        items.length,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            MessageDigest digest = Digest.newSha256();
            inputs.digest(i, digest);
            items[i] = digest.digest();
          }
        });
    MessageDigest all = Digest.newSha256();
    all.update(
        String.join("\n", FORMAT, embedder.digest(), inputs.shape().toString(), "")
            .getBytes(UTF_8));
    Arrays.stream(items).forEach(all::update);
    return HexFormat.of().formatHex(all.digest());
  }
}
