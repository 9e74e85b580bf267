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
 * Turns images and videos into features, by way of the cache.
 *
 * @param dataFolder where data sets, weights and features are kept
 * @param finder brings published weights in
 * @param threads how many threads compute
 * @param device {@code auto}, {@code cpu} or {@code cuda:N}
 */
public record Backbones(Path dataFolder, WeightsFinder finder, int threads, String device) {

  /** Hears how far it is. */
  @FunctionalInterface
  public interface Progress {

    /**
     * @param done how many items
     * @param all of how many
     */
    void done(int done, int all);
  }

  /**
   * A data set whose items are features instead of images.
   *
   * @param side height and width that images are brought to where they have another size; 0 for as
   *     they are, unless they are smaller than published weights know
   */
  public Dataset features(Dataset data, BackboneName name, int side, Progress progress) {
    return features(data, name, side, FrameFeatures.DEFAULT, progress);
  }

  /**
   * A data set whose items are features instead of images or videos.
   *
   * @param frames how frames become features of a video, where the backbone takes images
   */
  public Dataset features(
      Dataset data, BackboneName name, int side, FrameFeatures frames, Progress progress) {
    int all = data.pool().size() + data.test().size();
    Inputs pool = fitting(data.name(), data.pool().inputs(), name, side, frames);
    Inputs test = fitting(data.name(), data.test().inputs(), name, side, frames);
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
   * What tells the features of images brought to a size from others: of weights, network and size.
   */
  public String hash(BackboneName name, int side) {
    EmbedderSpec spec = name.spec(finder, InputShape.image(3, side, side), threads, device);
    MessageDigest digest = Digest.begin();
    digest.update((spec.digest() + "\n" + side).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The features of some images. */
  public FloatMatrix features(Inputs inputs, BackboneName name, Progress progress) {
    Inputs fitting = fitting(name.toString(), inputs, name, 0, FrameFeatures.DEFAULT);
    try (Embedder embedder = open(name, fitting.shape(), FrameFeatures.DEFAULT)) {
      return new FeatureCache(dataFolder)
          .features(embedder, fitting, done -> progress.done(done, inputs.size()));
    }
  }

  /**
   * Opens a backbone.
   *
   * @param shape of the items; videos under a backbone for images have evenly spaced frames
   */
  public Embedder open(BackboneName name, InputShape shape, FrameFeatures frames) {
    if (!shape.video() || name.takesClips()) {
      return EmbedderEngine.find(name.spec(finder, shape, threads, device));
    }
    InputShape frame = InputShape.image(shape.channels(), shape.height(), shape.width());
    return new FrameEmbedder(
        EmbedderEngine.find(name.spec(finder, frame, threads, device)), frames);
  }

  private static Inputs fitting(
      String data, Inputs inputs, BackboneName name, int side, FrameFeatures frames) {
    InputShape from = inputs.shape();
    if (from.kind() == InputShape.Kind.TABLE || !inputs.hasBytes()) {
      throw new DataException(
          "%s: a backbone makes features of images with pixels from 0 to 255 and of videos, not of"
                  .formatted(data)
              + " %s.".formatted(from));
    }
    if (name.takesClips()) {
      if (!from.video()) {
        throw new DataException("%s takes videos; %s has %s.".formatted(name, data, from));
      }
      return inputs;
    }
    int wanted = side == 0 ? PublishedWeights.SIDE : side;
    if (from.video()) {
      return inputs.withClips(ClipOptions.even(frames.frames(), wanted));
    }
    InputShape shape = InputShape.image(3, wanted, wanted);
    return inputs.shape().equals(shape) ? inputs : new ResizedInputs(inputs, wanted);
  }

  private static Part part(FloatMatrix features, Part images) {
    return new Part(new FeatureInputs(features, images.inputs()), images.labels());
  }
}
