package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.LayerNorm;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * MViT v1-B, a transformer for videos whose blocks gradually reduce the spatial resolution and
 * increase the number of channels, with torchvision's names: H. Fan et al., "Multiscale vision
 * transformers", ICCV 2021.
 *
 * <p>Inputs are items × channels × frames × height × width. Dropout and stochastic depth are
 * omitted, as at test time.
 */
public final class MultiscaleTransformer implements Backbone {
  private static final int FIRST_WIDTH = 96;
  private static final int LAST_WIDTH = 768;
  private static final int BLOCKS = 16;
  private static final int MLP_RATIO = 4;
  private static final double DEVIATION = 0.02;

  /** Blocks that start by halving height and width and doubling the number of heads. */
  private static final List<Integer> STAGES = List.of(1, 3, 14);

  /** Stride of the first convolution, in time and in space. */
  private static final int TIME_STRIDE = 2;

  private static final int SPACE_STRIDE = 4;
  private static final long[] ONES = {1, 1, 1};

  private final int frames;
  private final int side;
  private final Tensor weight;
  private final Tensor bias;
  private final Tensor classToken;
  private final Tensor classPosition;
  private final Tensor spatialPositions;
  private final Tensor temporalPositions;
  private final List<Block> blocks = new ArrayList<>();
  private final LayerNorm norm;

  /**
   * @param frames number of frames of a clip, a multiple of 2
   * @param side height and width of a frame, a multiple of 32
   */
  public MultiscaleTransformer(Parameters parameters, int channels, int frames, int side) {
    if (frames < TIME_STRIDE || frames % TIME_STRIDE != 0 || side < 32 || side % 32 != 0) {
      throw new DataException(
          "mvit takes clips of an even number of frames whose sides are multiples of 32, not %d frames of %d x %d."
              .formatted(frames, side, side));
    }
    this.frames = frames / TIME_STRIDE;
    this.side = side / SPACE_STRIDE;
    Parameters.Initializer initial = Parameters.normal(DEVIATION);
    this.weight = parameters.parameter("conv_proj.weight", initial, FIRST_WIDTH, channels, 3, 7, 7);
    this.bias = parameters.parameter("conv_proj.bias", Parameters.constant(0), FIRST_WIDTH);
    this.classToken = parameters.parameter("pos_encoding.class_token", initial, FIRST_WIDTH);
    this.classPosition = parameters.parameter("pos_encoding.class_pos", initial, FIRST_WIDTH);
    long positions = (long) this.side * this.side;
    this.spatialPositions =
        parameters.parameter("pos_encoding.spatial_pos", initial, positions, FIRST_WIDTH);
    this.temporalPositions =
        parameters.parameter("pos_encoding.temporal_pos", initial, this.frames, FIRST_WIDTH);
    int heads = 1;
    int width = FIRST_WIDTH;
    // Keys and values of the first block have the largest stride; each stage halves it.
    int pooling = 8;
    for (int b = 0; b < BLOCKS; b++) {
      boolean stage = STAGES.contains(b);
      heads *= stage ? 2 : 1;
      pooling /= stage ? 2 : 1;
      // The block before a stage doubles the channels, so that the stage starts with them.
      int next = STAGES.contains(b + 1) ? 2 * width : width;
      blocks.add(new Block(parameters, "blocks." + b, width, next, heads, stage ? 2 : 1, pooling));
      width = next;
    }
    this.norm = new LayerNorm(parameters, "norm", LAST_WIDTH);
  }

  @Override
  public int width() {
    return LAST_WIDTH;
  }

  @Override
  public List<String> blocks() {
    return blocks.stream().map(block -> block.name).toList();
  }

  @Override
  public Tensor embed(Tensor inputs, boolean training) {
    Tensor x =
        torch
            .conv3d(
                inputs,
                weight,
                new TensorOptional(bias),
                new long[] {TIME_STRIDE, SPACE_STRIDE, SPACE_STRIDE},
                new long[] {1, 3, 3},
                ONES,
                1)
            .flatten(2, -1)
            .transpose(1, 2);
    Tensor positions =
        temporalPositions.unsqueeze(1).add(spatialPositions.unsqueeze(0)).reshape(-1, FIRST_WIDTH);
    Tensor token = classToken.add(classPosition).expand(x.size(0), 1, FIRST_WIDTH);
    x = Layers.join(token, x.add(positions));
    long[] grid = {frames, side, side};
    for (Block block : blocks) {
      x = block.forward(x, grid);
      grid = block.poolsQueries() ? new long[] {grid[0], grid[1] / 2, grid[2] / 2} : grid;
    }
    return norm.forward(x).select(1, 0);
  }

  /** Attention over pooled keys and values, then a perceptron that may increase the channels. */
  private static final class Block {
    private final String name;
    private final int width;
    private final int heads;
    private final int queryStride;
    private final LayerNorm norm1;
    private final Linear qkv;
    private final Linear attentionProjection;
    private final Pool queries;
    private final Pool keys;
    private final Pool values;
    private final LayerNorm norm2;
    private final Linear first;
    private final Linear second;

    /** Null if the number of channels does not change. */
    private final Linear projection;

    Block(
        Parameters parameters,
        String name,
        int width,
        int outputs,
        int heads,
        int queryStride,
        int pooling) {
      this.name = name;
      this.width = width;
      this.heads = heads;
      this.queryStride = queryStride;
      int each = width / heads;
      this.norm1 = new LayerNorm(parameters, name + ".norm1", width);
      this.qkv = new Linear(parameters, name + ".attn.qkv", width, 3 * width);
      this.attentionProjection = new Linear(parameters, name + ".attn.project.0", width, width);
      this.queries =
          queryStride > 1 ? new Pool(parameters, name + ".attn.pool_q", each, queryStride) : null;
      this.keys = new Pool(parameters, name + ".attn.pool_k", each, pooling);
      this.values = new Pool(parameters, name + ".attn.pool_v", each, pooling);
      this.norm2 = new LayerNorm(parameters, name + ".norm2", width);
      this.first = new Linear(parameters, name + ".mlp.0", width, MLP_RATIO * width);
      this.second = new Linear(parameters, name + ".mlp.3", MLP_RATIO * width, outputs);
      this.projection =
          outputs == width ? null : new Linear(parameters, name + ".project", width, outputs);
    }

    boolean poolsQueries() {
      return queryStride > 1;
    }

    /**
     * @param grid number of tokens in time, height and width, without the class token
     */
    Tensor forward(Tensor x, long[] grid) {
      Tensor attended = attention(norm1.forward(x), grid);
      Tensor y = (poolsQueries() ? poolSkip(x, grid) : x).add(attended);
      Tensor normed = norm2.forward(y);
      Tensor skip = projection == null ? y : projection.forward(normed);
      return skip.add(second.forward(torch.gelu(first.forward(normed))));
    }

    private Tensor attention(Tensor x, long[] grid) {
      long items = x.size(0);
      Tensor all =
          qkv.forward(x).reshape(items, x.size(1), 3, heads, width / heads).permute(2, 0, 3, 1, 4);
      Tensor query = all.select(0, 0);
      Tensor attended =
          Layers.attention(
              queries == null ? query : queries.forward(query, grid),
              keys.forward(all.select(0, 1), grid),
              values.forward(all.select(0, 2), grid));
      return attentionProjection.forward(attended.transpose(1, 2).reshape(items, -1, width));
    }

    /** Pools the tokens of the skip connection like the queries; the class token is kept. */
    private static Tensor poolSkip(Tensor x, long[] grid) {
      Tensor tokens = x.narrow(1, 1, x.size(1) - 1).transpose(1, 2);
      Tensor pooled =
          torch.max_pool3d(
              tokens.reshape(x.size(0), x.size(2), grid[0], grid[1], grid[2]),
              new long[] {1, 3, 3},
              new long[] {1, 2, 2},
              new long[] {0, 1, 1},
              ONES,
              false);
      return Layers.join(x.narrow(1, 0, 1), pooled.flatten(2, -1).transpose(1, 2));
    }
  }

  /** A depthwise convolution over time and space, and a norm. */
  private static final class Pool {
    private final Tensor weight;
    private final LayerNorm norm;
    private final int channels;
    private final int stride;

    Pool(Parameters parameters, String name, int channels, int stride) {
      this.weight =
          parameters.parameter(
              name + ".pool.weight", Parameters.normal(DEVIATION), channels, 1, 3, 3, 3);
      this.norm = new LayerNorm(parameters, name + ".norm_act.0", channels);
      this.channels = channels;
      this.stride = stride;
    }

    /**
     * @param x items × heads × tokens × channels, the class token first
     */
    Tensor forward(Tensor x, long[] grid) {
      long items = x.size(0);
      long heads = x.size(1);
      Tensor tokens =
          x.narrow(2, 1, x.size(2) - 1)
              .transpose(2, 3)
              .reshape(items * heads, channels, grid[0], grid[1], grid[2]);
      Tensor pooled =
          torch
              .conv3d(
                  tokens,
                  weight,
                  new TensorOptional(),
                  new long[] {1, stride, stride},
                  ONES,
                  ONES,
                  channels)
              .reshape(items, heads, channels, -1)
              .transpose(2, 3);
      return norm.forward(torch.cat(new TensorVector(x.narrow(2, 0, 1), pooled), 2));
    }
  }
}
