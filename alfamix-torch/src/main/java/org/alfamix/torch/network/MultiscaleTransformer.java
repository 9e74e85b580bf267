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
 * MViT v1-B, a transformer for video whose blocks pool space step by step while channels grow, with
 * torchvision's names: H. Fan et al., "Multiscale vision transformers", ICCV 2021.
 *
 * <p>Inputs are items × channels × frames × height × width. Dropout and stochastic depth are left
 * out: this is the network at test time.
 */
public final class MultiscaleTransformer implements Backbone {
  private static final int FIRST_WIDTH = 96;
  private static final int LAST_WIDTH = 768;
  private static final int BLOCKS = 16;
  private static final int MLP_RATIO = 4;
  private static final double DEVIATION = 0.02;

  /** Blocks at whose start space is halved and heads are doubled. */
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
  private final Tensor classPlace;
  private final Tensor spatialPlaces;
  private final Tensor temporalPlaces;
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
    Parameters.Initial initial = Parameters.normal(DEVIATION);
    this.weight = parameters.parameter("conv_proj.weight", initial, FIRST_WIDTH, channels, 3, 7, 7);
    this.bias = parameters.parameter("conv_proj.bias", Parameters.constant(0), FIRST_WIDTH);
    this.classToken = parameters.parameter("pos_encoding.class_token", initial, FIRST_WIDTH);
    this.classPlace = parameters.parameter("pos_encoding.class_pos", initial, FIRST_WIDTH);
    long places = (long) this.side * this.side;
    this.spatialPlaces =
        parameters.parameter("pos_encoding.spatial_pos", initial, places, FIRST_WIDTH);
    this.temporalPlaces =
        parameters.parameter("pos_encoding.temporal_pos", initial, this.frames, FIRST_WIDTH);
    int heads = 1;
    int width = FIRST_WIDTH;
    // Keys and values of the first block are pooled most; each stage halves the rest.
    int pooling = 8;
    for (int b = 0; b < BLOCKS; b++) {
      boolean stage = STAGES.contains(b);
      heads *= stage ? 2 : 1;
      pooling /= stage ? 2 : 1;
      // Channels are doubled by the block before a stage, so that the stage begins with them.
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
    Tensor places =
        temporalPlaces.unsqueeze(1).add(spatialPlaces.unsqueeze(0)).reshape(-1, FIRST_WIDTH);
    Tensor token = classToken.add(classPlace).expand(x.size(0), 1, FIRST_WIDTH);
    x = Layers.join(token, x.add(places));
    long[] grid = {frames, side, side};
    for (Block block : blocks) {
      x = block.forward(x, grid);
      grid = block.poolsQueries() ? new long[] {grid[0], grid[1] / 2, grid[2] / 2} : grid;
    }
    return norm.forward(x).select(1, 0);
  }

  /** Attention over pooled keys and values, then a perceptron that may widen the tokens. */
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

    /** Null where the number of channels stays. */
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
     * @param grid number of tokens in time, height and width, beside the class token
     */
    Tensor forward(Tensor x, long[] grid) {
      Tensor attended = attention(norm1.forward(x), grid);
      Tensor y = (poolsQueries() ? largest(x, grid) : x).add(attended);
      Tensor normed = norm2.forward(y);
      Tensor kept = projection == null ? y : projection.forward(normed);
      return kept.add(second.forward(torch.gelu(first.forward(normed))));
    }

    private Tensor attention(Tensor x, long[] grid) {
      long items = x.size(0);
      Tensor all =
          qkv.forward(x).reshape(items, x.size(1), 3, heads, width / heads).permute(2, 0, 3, 1, 4);
      Tensor asked = all.select(0, 0);
      Tensor seen =
          Layers.attention(
              queries == null ? asked : queries.forward(asked, grid),
              keys.forward(all.select(0, 1), grid),
              values.forward(all.select(0, 2), grid));
      return attentionProjection.forward(seen.transpose(1, 2).reshape(items, -1, width));
    }

    /** The tokens of the skip connection, pooled as the queries are; the class token stays. */
    private static Tensor largest(Tensor x, long[] grid) {
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

  /** A convolution of each channel by itself over time and space, and a norm. */
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
