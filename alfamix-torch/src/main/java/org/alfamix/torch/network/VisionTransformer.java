package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.data.DataException;
import org.alfamix.dataset.InputShape;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Layers.LayerNorm;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Vision transformers on patches of 16 x 16, with the names that DINO's checkpoints have: A.
 * Dosovitskiy et al., "An image is worth 16x16 words", ICLR 2021; M. Caron et al., "Emerging
 * properties in self-supervised vision transformers", ICCV 2021.
 */
public final class VisionTransformer implements Architecture {
  public static final VisionTransformer SMALL = new VisionTransformer("vit-small", 384, 6);
  public static final VisionTransformer BASE = new VisionTransformer("vit-base", 768, 12);

  private static final int PATCH = 16;
  private static final int BLOCKS = 12;
  private static final int MLP_RATIO = 4;
  private static final double DEVIATION = 0.02;

  private final String name;
  private final int width;
  private final int heads;

  private VisionTransformer(String name, int width, int heads) {
    this.name = name;
    this.width = width;
    this.heads = heads;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return "a vision transformer on patches of 16 x 16; embeddings of %d, for images of 224 x 224"
        .formatted(width);
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.image() || input.height() % PATCH != 0 || input.width() % PATCH != 0) {
      throw new DataException(
          "%s takes images whose sides are multiples of %d, not %s.".formatted(name, PATCH, input));
    }
    int patches = input.height() / PATCH * (input.width() / PATCH);
    Parameters.Initial initial = Parameters.normal(DEVIATION);
    Tensor token = parameters.parameter("cls_token", initial, 1, 1, width);
    Tensor places = parameters.parameter("pos_embed", initial, 1, patches + 1, width);
    Conv2d patch = Conv2d.patches(parameters, "patch_embed.proj", input.channels(), width, PATCH);
    List<Block> blocks = new ArrayList<>();
    for (int b = 0; b < BLOCKS; b++) {
      blocks.add(new Block(parameters, "blocks." + b));
    }
    LayerNorm norm = new LayerNorm(parameters, "norm", width);
    return new Backbone() {
      @Override
      public int width() {
        return width;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = patch.forward(inputs).flatten(2, -1).transpose(1, 2);
        x = Layers.join(token.expand(x.size(0), 1, width), x).add(places);
        for (Block block : blocks) {
          x = block.forward(x);
        }
        return norm.forward(x.select(1, 0));
      }
    };
  }

  /** Every patch looks at every other, then each thinks for itself. */
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
      Tensor seen = Layers.attention(all.select(0, 0), all.select(0, 1), all.select(0, 2));
      return projection.forward(seen.transpose(1, 2).reshape(items, tokens, width));
    }
  }
}
