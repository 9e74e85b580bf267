package org.alfamix.learn.embed;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.PixelInputs;
import org.alfamix.math.FloatMatrix;

/** Computes features of videos by pooling the features of frames from an embedder for images. */
final class FrameEmbedder implements Embedder {
  /** Number of videos whose frames are embedded at a time, which bounds the memory. */
  private static final int BLOCK = 256;

  private final Embedder images;
  private final FrameFeatures options;

  FrameEmbedder(Embedder images, FrameFeatures options) {
    this.images = images;
    this.options = options;
  }

  @Override
  public String name() {
    return images.name();
  }

  @Override
  public int features() {
    return options.width(images.features());
  }

  @Override
  public String digest() {
    return "%s\n%d frames, %s".formatted(images.digest(), options.frames(), options.pooling());
  }

  @Override
  public FloatMatrix embed(Inputs inputs, IntConsumer progress) {
    FloatMatrix result = FloatMatrix.zeros(inputs.size(), features());
    for (int from = 0; from < inputs.size(); from += BLOCK) {
      int first = from;
      int count = Math.min(BLOCK, inputs.size() - from);
      FloatMatrix frames =
          images.embed(
              new Frames(inputs, first, count),
              done -> progress.accept(first + done / options.frames()));
      for (int i = 0; i < count; i++) {
        pool(frames, i * options.frames(), result.array(), result.rowOffset(first + i));
      }
    }
    return result;
  }

  private void pool(FloatMatrix frames, int from, float[] target, int offset) {
    int width = frames.columns();
    double[] values = new double[options.frames()];
    for (int d = 0; d < width; d++) {
      for (int f = 0; f < values.length; f++) {
        values[f] = frames.get(from + f, d);
      }
      double mean = Arrays.stream(values).sum() / values.length;
      switch (options.pooling()) {
        case MEAN -> target[offset + d] = (float) mean;
        case MAX -> target[offset + d] = (float) Arrays.stream(values).max().orElseThrow();
        case MEAN_DEVIATION -> {
          double squares = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum();
          target[offset + d] = (float) mean;
          target[offset + width + d] = (float) Math.sqrt(squares / values.length);
        }
      }
    }
  }

  /** The frames of some videos as images, video by video. */
  private record Frames(Inputs videos, int first, int count) implements PixelInputs {

    @Override
    public int size() {
      return count * videos.shape().frames();
    }

    @Override
    public InputShape shape() {
      InputShape video = videos.shape();
      return InputShape.image(video.channels(), video.height(), video.width());
    }

    private int video(int item) {
      return first + item / videos.shape().frames();
    }

    @Override
    public void readBytes(int item, byte[] target, int offset) {
      InputShape video = videos.shape();
      byte[] clip = new byte[video.length()];
      videos.readBytes(video(item), clip, 0);
      int area = video.height() * video.width();
      int frame = item % video.frames();
      for (int c = 0; c < video.channels(); c++) {
        int from = c * video.channelLength() + frame * area;
        System.arraycopy(clip, from, target, offset + c * area, area);
      }
    }

    @Override
    public String id(int item) {
      return videos.id(video(item)) + " frame " + item % videos.shape().frames();
    }

    @Override
    public String describe(int item) {
      return videos.describe(video(item));
    }
  }

  @Override
  public void close() {
    images.close();
  }
}
