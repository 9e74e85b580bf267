package org.alfamix.learn.embed;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.TextInputs;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;

/**
 * Computes features of texts: with a pre-trained encoder, or of n-grams, which are fitted to the
 * pool.
 *
 * @param dataFolder the folder of data sets and features
 * @param name {@value #MINILM}, {@value NgramFeatures#NAME}, or a folder or file with an encoder
 */
public record TextFeatures(Path dataFolder, String name, EncoderOptions options) {
  /** The encoder that is included: all-MiniLM-L6-v2, for English, with 384 features. */
  public static final String MINILM = "minilm";

  /** The features of texts if none are named. */
  public static final String DEFAULT = MINILM;

  /** Returns whether a name belongs to features that are included, so that it is not a path. */
  public static boolean isBuiltIn(String name) {
    return name.equals(MINILM) || name.equals(NgramFeatures.NAME);
  }

  /** Returns whether a name is that of a folder or an ONNX file, which may contain an encoder. */
  public static boolean isEncoder(String name) {
    try {
      return !isBuiltIn(name)
          && !name.isBlank()
          && (Files.isDirectory(Path.of(name)) || name.endsWith(".onnx"));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /** Returns whether a name is an absolute path, without a look at the disk. */
  public static boolean isAbsolutePath(String name) {
    try {
      return Path.of(name).isAbsolute();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  /**
   * Returns an encoder's name with an absolute path if it refers to a file or folder.
   *
   * @throws DataException if it does not exist
   */
  public static String withAbsolutePath(String name) {
    if (isBuiltIn(name)) {
      return name;
    }
    try {
      Path path = Path.of(name);
      if (!name.isBlank() && Files.exists(path)) {
        return path.toAbsolutePath().normalize().toString();
      }
    } catch (InvalidPathException e) {
      // reported below
    }
    throw new DataException(
        "'%s' is neither %s, %s nor a folder or .onnx file with a text encoder."
            .formatted(name, MINILM, NgramFeatures.NAME));
  }

  /** Returns whether the features depend on the pool, so that a new text changes all of them. */
  public boolean areFittedToPool() {
    return name.equals(NgramFeatures.NAME);
  }

  /**
   * Returns the features of a pool.
   *
   * @see #of(List, BackboneDatasetReader.Listener)
   */
  public FloatMatrix of(Inputs pool, BackboneDatasetReader.Listener listener) {
    return of(List.of(pool), listener).get(0);
  }

  /**
   * Returns the features of several groups of texts. Numbers that belong to the texts are appended,
   * standardized by the pool.
   *
   * @param parts the pool first
   */
  public List<FloatMatrix> of(List<Inputs> parts, BackboneDatasetReader.Listener listener) {
    List<FloatMatrix> features = areFittedToPool() ? ngrams(parts) : encoded(parts, listener);
    NumberColumns numbers = NumberColumns.fit(parts.get(0));
    List<FloatMatrix> all =
        IntStream.range(0, parts.size())
            .mapToObj(p -> numbers.appendTo(features.get(p), parts.get(p)))
            .toList();
    checkVariety(all.get(0), listener);
    return all;
  }

  /** Computes the features of a pool, and keeps the function that computes them. */
  public TextModel open(Inputs pool, BackboneDatasetReader.Listener listener) {
    if (areFittedToPool()) {
      NgramFeatures fitted = NgramFeatures.fit(pool);
      return new TextModel(fitted.of(pool), fitted::of, () -> {});
    }
    FloatMatrix features = of(pool, listener);
    Embedder encoder = TextEncoderEngine.find().open(name, options);
    return new TextModel(features, texts -> encoder.embed(texts, done -> {}), encoder::close);
  }

  private static List<FloatMatrix> ngrams(List<Inputs> parts) {
    NgramFeatures fitted = NgramFeatures.fit(parts.get(0));
    return parts.stream().map(fitted::of).toList();
  }

  private List<FloatMatrix> encoded(List<Inputs> parts, BackboneDatasetReader.Listener listener) {
    int all = parts.stream().mapToInt(Inputs::size).sum();
    try (Embedder encoder = TextEncoderEngine.find().open(name, options);
        BackboneDatasetReader.FeatureProgress progress = listener.features(name, "texts")) {
      FeatureCache cache = new FeatureCache(dataFolder);
      List<FloatMatrix> features = new ArrayList<>();
      int before = 0;
      for (Inputs part : parts) {
        int earlier = before;
        features.add(
            cache.features(encoder, texts(part), done -> progress.done(earlier + done, all)));
        before += part.size();
      }
      encoder.remarks().forEach(listener::remark);
      return features;
    }
  }

  /** Remarks that a pool has the same features everywhere, as texts that are all empty. */
  private static void checkVariety(FloatMatrix pool, BackboneDatasetReader.Listener listener) {
    int width = pool.columns();
    for (int i = 1; i < pool.rows(); i++) {
      int at = pool.rowOffset(i);
      if (!Arrays.equals(pool.array(), 0, width, pool.array(), at, at + width)) {
        return;
      }
    }
    if (pool.rows() > 1) {
      listener.remark("All texts have the same features, so nothing can be learnt from them.");
    }
  }

  /** Returns texts without numbers, which an encoder does not see. */
  private static Inputs texts(Inputs part) {
    return part.size() == 0 || part.numbers(0).length == 0
        ? part
        : new TextInputs(
            IntStream.range(0, part.size()).mapToObj(part::text).toList(),
            IntStream.range(0, part.size()).mapToObj(part::id).toList());
  }
}
