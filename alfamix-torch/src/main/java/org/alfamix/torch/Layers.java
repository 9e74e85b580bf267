package org.alfamix.torch;

import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The layers of networks. Each layer registers its tensors under its name, with PyTorch's naming
 * scheme and initial distributions.
 */
public final class Layers {
  private static final double BATCH_NORM_MOMENTUM = 0.1;
  private static final double BATCH_NORM_EPSILON = 1e-5;
  private static final double LAYER_NORM_EPSILON = 1e-6;
  private static final long[] ONE = {1, 1};

  private Layers() {}

  /** W x + b, with initial values from a uniform distribution within ±1 / √inputs. */
  public static final class Linear {
    private final Tensor weight;
    private final Tensor bias;

    public Linear(Parameters parameters, String name, int inputs, int outputs) {
      Parameters.Initializer initial = Parameters.uniform(1 / Math.sqrt(inputs));
      this.weight = parameters.parameter(name + ".weight", initial, outputs, inputs);
      this.bias = parameters.parameter(name + ".bias", initial, outputs);
    }

    public Tensor forward(Tensor x) {
      return torch.linear(x, weight, new TensorOptional(bias));
    }

    /** Returns the layer with its current weights, for computations in Java. */
    public LinearHead toHead() {
      long[] shape = {weight.size(0), weight.size(1)};
      FloatMatrix rows = FloatMatrix.wrap(Tensors.toArray(weight), (int) shape[0], (int) shape[1]);
      return new LinearHead(rows, Tensors.toArray(bias));
    }
  }

  /** A convolution of images. */
  public static final class Conv2d {
    private final Tensor weight;
    private final Tensor bias;
    private final long[] stride;
    private final long[] padding;

    private Conv2d(Tensor weight, Tensor bias, int stride, int padding) {
      this.weight = weight;
      this.bias = bias;
      this.stride = new long[] {stride, stride};
      this.padding = new long[] {padding, padding};
    }

    /** Creates a convolution with a bias, with initial values uniformly within ±1 / √fan-in. */
    public static Conv2d withBias(
        Parameters parameters, String name, int inputs, int outputs, int side, int padding) {
      Parameters.Initializer initial = Parameters.uniform(1 / Math.sqrt(inputs * side * side));
      return new Conv2d(
          parameters.parameter(name + ".weight", initial, outputs, inputs, side, side),
          parameters.parameter(name + ".bias", initial, outputs),
          1,
          padding);
    }

    /**
     * Creates a convolution without a bias, for use before a batch norm, with He initialization by
     * fan-out.
     */
    public static Conv2d withoutBias(
        Parameters parameters, String name, int inputs, int outputs, int side, int stride) {
      return normal(parameters, name, inputs, outputs, side, stride, outputs);
    }

    /** Creates a convolution without a bias, with He initialization by fan-in. */
    public static Conv2d withoutBiasFanIn(
        Parameters parameters, String name, int inputs, int outputs, int side, int stride) {
      return normal(parameters, name, inputs, outputs, side, stride, inputs);
    }

    private static Conv2d normal(
        Parameters parameters,
        String name,
        int inputs,
        int outputs,
        int side,
        int stride,
        double fan) {
      Parameters.Initializer initial = Parameters.normal(Math.sqrt(2.0 / (fan * side * side)));
      return new Conv2d(
          parameters.parameter(name + ".weight", initial, outputs, inputs, side, side),
          null,
          stride,
          side / 2);
    }

    /** Creates a convolution with a bias over patches that do not overlap. */
    public static Conv2d patches(
        Parameters parameters, String name, int inputs, int outputs, int side) {
      Parameters.Initializer initial = Parameters.uniform(1 / Math.sqrt(inputs * side * side));
      return new Conv2d(
          parameters.parameter(name + ".weight", initial, outputs, inputs, side, side),
          parameters.parameter(name + ".bias", initial, outputs),
          side,
          0);
    }

    public Tensor forward(Tensor x) {
      TensorOptional optional = bias == null ? new TensorOptional() : new TensorOptional(bias);
      return torch.conv2d(x, weight, optional, stride, padding, ONE, 1);
    }
  }

  /** Normalizes each channel, then applies a trainable scale and shift. */
  public static final class BatchNorm2d {
    private final Tensor weight;
    private final Tensor bias;
    private final Tensor mean;
    private final Tensor variance;

    public BatchNorm2d(Parameters parameters, String name, int channels) {
      this.weight = parameters.norm(name + ".weight", 1, channels);
      this.bias = parameters.norm(name + ".bias", 0, channels);
      this.mean = parameters.buffer(name + ".running_mean", 0, channels);
      this.variance = parameters.buffer(name + ".running_var", 1, channels);
    }

    /**
     * Normalizes a batch. A frozen layer uses its running statistics, even in training.
     *
     * @param training whether the statistics of the batch are used, and update the running ones
     */
    public Tensor forward(Tensor x, boolean training) {
      boolean trains = training && weight.requires_grad();
      return torch.batch_norm(
          x,
          new TensorOptional(weight),
          new TensorOptional(bias),
          new TensorOptional(mean),
          new TensorOptional(variance),
          trains,
          BATCH_NORM_MOMENTUM,
          BATCH_NORM_EPSILON,
          true);
    }
  }

  /** Normalizes the values of each item, then applies a trainable scale and shift. */
  public static final class LayerNorm {
    private final Tensor weight;
    private final Tensor bias;
    private final long[] shape;

    public LayerNorm(Parameters parameters, String name, int width) {
      this.weight = parameters.norm(name + ".weight", 1, width);
      this.bias = parameters.norm(name + ".bias", 0, width);
      this.shape = new long[] {width};
    }

    public Tensor forward(Tensor x) {
      return torch.layer_norm(
          x, shape, new TensorOptional(weight), new TensorOptional(bias), LAYER_NORM_EPSILON, true);
    }
  }

  /** Returns scaled dot-product attention. */
  public static Tensor attention(Tensor queries, Tensor keys, Tensor values) {
    Tensor weights =
        queries
            .mul(new Scalar(1 / Math.sqrt(queries.size(-1))))
            .matmul(keys.transpose(-2, -1))
            .softmax(-1);
    return weights.matmul(values);
  }

  /** Resizes a grid of position embeddings, preceded by that of a class token, like DINO. */
  public static float[] resizePositions(float[] values, int width, int side, int newSide) {
    try (PointerScope scope = new PointerScope();
        Device cpu = new Device("cpu");
        NoGradGuard guard = new NoGradGuard()) {
      Tensor all = Tensors.of(values, cpu, 1, 1 + side * side, width);
      Tensor grid =
          all.narrow(1, 1, (long) side * side).reshape(1, side, side, width).permute(0, 3, 1, 2);
      // DINO requests a tenth more than needed, so that rounding does not lose a row.
      double scale = (newSide + 0.1) / side;
      Tensor resized =
          torch
              .upsample_bicubic2d(
                  grid,
                  new long[] {newSide, newSide},
                  false,
                  new DoubleOptional(scale),
                  new DoubleOptional(scale))
              .permute(0, 2, 3, 1)
              .reshape(1, (long) newSide * newSide, width);
      return Tensors.toArray(join(all.narrow(1, 0, 1), resized));
    }
  }

  /** Concatenates two tensors along dimension 1, such as the channels of images. */
  public static Tensor join(Tensor first, Tensor second) {
    return torch.cat(new TensorVector(first, second), 1);
  }

  /**
   * Returns a mask for dropout of whole channels with probability ½: 0 or 2 for each channel of
   * each item.
   */
  public static Tensor channelMask(Tensor x, RandomGenerator random) {
    float[] mask = new float[Math.toIntExact(x.size(0) * x.size(1))];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = random.nextBoolean() ? 2 : 0;
    }
    return Tensors.of(mask, x.device(), x.size(0), x.size(1), 1, 1);
  }

  /** Returns the mean of each window. */
  public static Tensor averagePool(Tensor x, int side) {
    return torch.avg_pool2d(x, side, side);
  }

  /** Returns the largest value of each window. */
  public static Tensor maxPool(Tensor x, int side, int stride, int padding) {
    return torch.max_pool2d(
        x,
        new long[] {side, side},
        new long[] {stride, stride},
        new long[] {padding, padding},
        ONE,
        false);
  }
}
