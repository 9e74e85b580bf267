package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Layers.LayerNorm;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.NetworkOptions;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Vision transformers on patches of 16 x 16, with the names of DINO's checkpoints: A. Dosovitskiy
 * et al., "An image is worth 16x16 words", ICLR 2021; M. Caron et al., "Emerging properties in
 * self-supervised vision transformers", ICCV 2021.
 */
public final class VisionTransformer implements Architecture {
  public static final VisionTransformer SMALL =
      new VisionTransformer("vit-small", 384, 6, 1, false);
  public static final VisionTransformer BASE = new VisionTransformer("vit-base", 768, 12, 1, false);

  private static final int PATCH = 16;
  private static final int BLOCKS = 12;
  private static final int MLP_RATIO = 4;
  private static final double DEVIATION = 0.02;
  private static final Pattern BLOCK_NAME = Pattern.compile("blocks\\.(\\d+)\\.(.*)");

  private final String name;
  private final int width;
  private final int heads;

  /** Number of last blocks whose class tokens form the embedding. */
  private final int tokens;

  /** Whether the embedding includes the mean over the patches of the last block. */
  private final boolean average;

  private VisionTransformer(String name, int width, int heads, int tokens, boolean average) {
    this.name = name;
    this.width = width;
    this.heads = heads;
    this.tokens = tokens;
    this.average = average;
  }

  /**
   * Returns the network with options. {@code blocks=N} takes the class tokens of the last N blocks,
   * {@code pool=average} adds the mean of the last block's patches, like the classifiers of DINO's
   * authors.
   */
  @Override
  public Architecture with(Map<String, String> options) {
    NetworkOptions given = new NetworkOptions(name, options);
    int blocks = given.integer("blocks", 1, BLOCKS, 1);
    String pool = given.oneOf("pool", List.of("token", "average"), "token");
    given.rejectUnknown();
    return new VisionTransformer(name, width, heads, blocks, pool.equals("average"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return "a vision transformer on patches of 16 x 16; %d-dimensional embeddings, for images of at least 16 x 16; options blocks, pool"
        .formatted(width);
  }

  /** Returns torchvision's names of the tensor. */
  @Override
  public List<String> aliases(String tensor) {
    Matcher block = BLOCK_NAME.matcher(tensor);
    if (!block.matches()) {
      return switch (tensor) {
        case "cls_token" -> List.of("class_token");
        case "pos_embed" -> List.of("encoder.pos_embedding");
        case "head.weight", "head.bias" -> List.of("heads." + tensor);
        default ->
            List.of(
                tensor
                    .replace("patch_embed.proj", "conv_proj")
                    .replaceFirst("^norm", "encoder.ln"));
      };
    }
    String layer = "encoder.layers.encoder_layer_" + block.group(1) + ".";
    String part = block.group(2);
    if (part.startsWith("attn.qkv.")) {
      return List.of(layer + part.replace("attn.qkv.", "self_attention.in_proj_"));
    }
    String common = part.replace("norm", "ln_").replace("attn.proj", "self_attention.out_proj");
    return List.of(
        layer + common.replace("mlp.fc1", "mlp.0").replace("mlp.fc2", "mlp.3"),
        layer + common.replace("mlp.fc1", "mlp.linear_1").replace("mlp.fc2", "mlp.linear_2"));
  }

  /** Resizes the position embeddings of the patches for images of another size. */
  @Override
  public Optional<float[]> reshaped(String tensor, float[] values, long[] from, long[] to) {
    if (!tensor.equals("pos_embed") || from.length != 3 || from[0] != 1 || from[2] != width) {
      return Optional.empty();
    }
    int old = (int) Math.round(Math.sqrt(from[1] - 1.0));
    int side = (int) Math.round(Math.sqrt(to[1] - 1.0));
    return (long) old * old == from[1] - 1 && (long) side * side == to[1] - 1
        ? Optional.of(Layers.resizePositions(values, width, old, side))
        : Optional.empty();
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage() || Math.min(input.height(), input.width()) < PATCH) {
      throw new DataException(
          "%s takes images of at least %d x %d pixels, not %s."
              .formatted(name, PATCH, PATCH, input));
    }
    // Pixels beyond the last whole patch are ignored, as in DINO: 84 x 84 has 5 x 5 patches.
    int patches = input.height() / PATCH * (input.width() / PATCH);
    Parameters.Initializer initial = Parameters.normal(DEVIATION);
    Tensor token = parameters.parameter("cls_token", initial, 1, 1, width);
    Tensor positions = parameters.parameter("pos_embed", initial, 1, patches + 1, width);
    Conv2d patch = Conv2d.patches(parameters, "patch_embed.proj", input.channels(), width, PATCH);
    List<Block> blocks = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      names.add("blocks." + b);
      blocks.add(new Block(parameters, "blocks." + b));
    }
    LayerNorm norm = new LayerNorm(parameters, "norm", width);
    return new Backbone() {
      @Override
      public int width() {
        return width * (tokens + (average ? 1 : 0));
      }

      @Override
      public List<String> blocks() {
        return names;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = patch.forward(inputs).flatten(2, -1).transpose(1, 2);
        x = Layers.join(token.expand(x.size(0), 1, width), x).add(positions);
        Tensor embedding = null;
        for (int b = 0; b < BLOCKS; b++) {
          x = blocks.get(b).forward(x);
          if (b >= BLOCKS - tokens) {
            Tensor classToken = norm.forward(x.select(1, 0));
            embedding = embedding == null ? classToken : Layers.join(embedding, classToken);
          }
        }
        if (average) {
          Tensor others = norm.forward(x).narrow(1, 1, x.size(1) - 1);
          embedding = Layers.join(embedding, others.mean(new long[] {1}));
        }
        return embedding;
      }
    };
  }

  /** A transformer block: attention between all patches, then a perceptron on each patch. */
  private final class Block {
    private final LayerNorm norm1;
    private final Linear qkv;
    private final Linear projection;
    private final LayerNorm norm2;
    private final Linear first;
    private final Linear second;

    Block(Parameters parameters, String name) {
      this.norm1 = new LayerNorm(parameters, name + ".norm1", width);
      this.qkv = new Linear(parameters, name + ".attn.qkv", width, 3 * width);
      this.projection = new Linear(parameters, name + ".attn.proj", width, width);
      this.norm2 = new LayerNorm(parameters, name + ".norm2", width);
      this.first = new Linear(parameters, name + ".mlp.fc1", width, MLP_RATIO * width);
      this.second = new Linear(parameters, name + ".mlp.fc2", MLP_RATIO * width, width);
    }

    Tensor forward(Tensor x) {
      Tensor y = x.add(attention(norm1.forward(x)));
      return y.add(second.forward(torch.gelu(first.forward(norm2.forward(y)))));
    }

    private Tensor attention(Tensor x) {
      long items = x.size(0);
      long tokens = x.size(1);
      Tensor all =
          qkv.forward(x).reshape(items, tokens, 3, heads, width / heads).permute(2, 0, 3, 1, 4);
      Tensor attended = Layers.attention(all.select(0, 0), all.select(0, 1), all.select(0, 2));
      return projection.forward(attended.transpose(1, 2).reshape(items, tokens, width));
    }
  }
}
