package org.alfamix.learn.embed;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.IntConsumer;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.ResizedInputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFinder;
import org.alfamix.math.FloatMatrix;

/**
 * Computes features of images and videos, or reads them from the cache.
 *
 * @param dataFolder the folder of data sets, weights and features
 * @param finder finds or downloads published weights
 * @param threads number of threads that compute
 * @param device {@code auto}, {@code cpu} or {@code cuda:N}
 */
public record Backbones(Path dataFolder, WeightsFinder finder, int threads, String device) {

  /** Receives the progress of a computation. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Called from time to time.
     *
     * @param done number of items computed so far
     * @param all total number of items
     */
    void done(int done, int all);
  }

  /**
   * Returns a data set with features instead of images.
   *
   * @param side height and width that images of another size are resized to; 0 for the size that
   *     published weights were trained with
   */
  public Dataset features(Dataset data, BackboneName name, int side, Progress progress) {
    return features(data, name, side, FrameFeatures.DEFAULT, progress);
  }

  /**
   * Returns a data set with features instead of images or videos.
   *
   * @param frames how features of frames are pooled for a video, if the backbone takes images
   */
  public Dataset features(
      Dataset data, BackboneName name, int side, FrameFeatures frames, Progress progress) {
    int all = data.pool().size() + data.test().size();
    Inputs pool = adapt(data.name(), data.pool().inputs(), name, side, frames);
    Inputs test = adapt(data.name(), data.test().inputs(), name, side, frames);
    try (Embedder embedder = open(name, pool.shape(), frames)) {
      FeatureCache cache = new FeatureCache(dataFolder);
      IntConsumer first = done -> progress.done(done, all);
      Part poolPart = part(cache.features(embedder, pool, first), data.pool());
      IntConsumer second = done -> progress.done(data.pool().size() + done, all);
      Part testPart = part(cache.features(embedder, test, second), data.test());
      return new Dataset(
          data.name(),
          data.classNames(),
          poolPart,
          testPart,
          Scaling.none(poolPart.inputs().shape()));
    }
  }

  /**
   * Returns a hash of weights, network and image size, which identifies the features of images of
   * that size.
   */
  public String hash(BackboneName name, int side) {
    EmbedderSpec spec = name.spec(finder, InputShape.image(3, side, side), threads, device);
    MessageDigest digest = Digest.newSha256();
    digest.update((spec.digest() + "\n" + side).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Returns the features of some images. */
  public FloatMatrix features(Inputs inputs, BackboneName name, Progress progress) {
    Inputs adapted = adapt(name.toString(), inputs, name, 0, FrameFeatures.DEFAULT);
    try (Embedder embedder = open(name, adapted.shape(), FrameFeatures.DEFAULT)) {
      return new FeatureCache(dataFolder)
          .features(embedder, adapted, done -> progress.done(done, inputs.size()));
    }
  }

  /**
   * Opens a backbone.
   *
   * @param shape the shape of the items; a backbone for images takes evenly spaced frames of videos
   */
  public Embedder open(BackboneName name, InputShape shape, FrameFeatures frames) {
    if (!shape.isVideo() || name.takesClips()) {
      return EmbedderEngine.find(name.spec(finder, shape, threads, device));
    }
    InputShape frame = InputShape.image(shape.channels(), shape.height(), shape.width());
    return new FrameEmbedder(
        EmbedderEngine.find(name.spec(finder, frame, threads, device)), frames);
  }

  private static Inputs adapt(
      String data, Inputs inputs, BackboneName name, int side, FrameFeatures frames) {
    InputShape from = inputs.shape();
    if (from.kind() == InputShape.Kind.TABLE || !inputs.hasBytes()) {
      throw new DataException(
          "%s: a backbone takes images with pixels from 0 to 255, or videos, not %s."
              .formatted(data, from));
    }
    if (name.takesClips()) {
      if (!from.isVideo()) {
        throw new DataException("%s takes videos, but %s has %s.".formatted(name, data, from));
      }
      return inputs;
    }
    int wanted = side == 0 ? PublishedWeights.SIDE : side;
    if (from.isVideo()) {
      return inputs.withClips(ClipOptions.even(frames.frames(), wanted));
    }
    InputShape shape = InputShape.image(3, wanted, wanted);
    return inputs.shape().equals(shape) ? inputs : new ResizedInputs(inputs, wanted);
  }

  private static Part part(FloatMatrix features, Part images) {
    return new Part(new FeatureInputs(features, images.inputs()), images.labels());
  }
}
