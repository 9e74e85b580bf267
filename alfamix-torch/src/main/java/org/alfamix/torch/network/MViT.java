package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Parameters;

/**
 * MViT v1-B for video clips, with torchvision's names. It also loads checkpoints of PySlowFast. H.
 * Fan et al., "Multiscale vision transformers", ICCV 2021.
 */
public final class MViT implements Architecture {
  private static final String SPACE = "pos_encoding.spatial_pos";
  private static final String TIME = "pos_encoding.temporal_pos";
  private static final int WIDTH = 96;

  @Override
  public String name() {
    return "mvit";
  }

  @Override
  public String description() {
    return "MViT v1-B, a transformer for videos; 768-dimensional embeddings, for clips with an even"
        + " number of frames and sides that are multiples of 32";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isVideo() || input.height() != input.width()) {
      throw new DataException("mvit takes square clips of videos, not %s.".formatted(input));
    }
    return new MultiscaleTransformer(parameters, input.channels(), input.frames(), input.height());
  }

  @Override
  public String head() {
    return "head.1";
  }

  /** Returns the name of the tensor in PySlowFast. */
  @Override
  public List<String> aliases(String tensor) {
    String slow =
        switch (tensor) {
          case "conv_proj.weight" -> "patch_embed.proj.weight";
          case "conv_proj.bias" -> "patch_embed.proj.bias";
          case "pos_encoding.class_token" -> "cls_token";
          case "pos_encoding.class_pos" -> "pos_embed_class";
          case SPACE -> "pos_embed_spatial";
          case TIME -> "pos_embed_temporal";
          case "head.1.weight" -> "head.projection.weight";
          case "head.1.bias" -> "head.projection.bias";
          default ->
              tensor
                  .replaceFirst("attn\\.pool_(.)\\.pool\\.", "attn.pool_$1.")
                  .replaceFirst("attn\\.pool_(.)\\.norm_act\\.0\\.", "attn.norm_$1.")
                  .replace(".attn.project.0.", ".attn.proj.")
                  .replace(".mlp.0.", ".mlp.fc1.")
                  .replace(".mlp.3.", ".mlp.fc2.")
                  .replaceFirst("(blocks\\.\\d+)\\.project\\.", "$1.proj.");
        };
    return slow.equals(tensor) ? List.of() : List.of(slow);
  }

  /** Returns the separate layers of queries, keys and values in newer checkpoints of PySlowFast. */
  @Override
  public List<String> parts(String tensor) {
    List<String> parts = new ArrayList<>();
    if (tensor.contains(".attn.qkv.")) {
      for (String part : List.of("q", "k", "v")) {
        parts.add(tensor.replace(".attn.qkv.", ".attn." + part + "."));
      }
    }
    return parts;
  }

  /**
   * Converts position embeddings. Those of PySlowFast have leading dimensions of length 1; those of
   * clips of other sizes are interpolated.
   */
  @Override
  public Optional<float[]> reshaped(String tensor, float[] values, long[] from, long[] to) {
    if (!tensor.startsWith("pos_encoding.") || values.length % WIDTH != 0) {
      return Optional.empty();
    }
    int count = values.length / WIDTH;
    int wanted = to.length == 1 ? 1 : (int) to[0];
    long[] core = Arrays.stream(from).dropWhile(length -> length == 1).toArray();
    boolean fits = core.length > 0 && core[core.length - 1] == WIDTH && core.length <= 2;
    if (!fits || count == wanted) {
      return fits ? Optional.of(values) : Optional.empty();
    }
    return switch (tensor) {
      case TIME -> Optional.of(interpolate(values, 1, count, wanted));
      case SPACE -> resize(values, count, wanted);
      default -> Optional.empty();
    };
  }

  private static Optional<float[]> resize(float[] values, int count, int wanted) {
    int side = (int) Math.round(Math.sqrt(count));
    int newSide = (int) Math.round(Math.sqrt(wanted));
    if (side * side != count || newSide * newSide != wanted) {
      return Optional.empty();
    }
    float[] wide = new float[side * newSide * WIDTH];
    for (int y = 0; y < side; y++) {
      float[] row = Arrays.copyOfRange(values, y * side * WIDTH, (y + 1) * side * WIDTH);
      System.arraycopy(
          interpolate(row, 1, side, newSide), 0, wide, y * newSide * WIDTH, newSide * WIDTH);
    }
    return Optional.of(interpolate(wide, newSide, side, newSide));
  }

  /**
   * Interpolates linearly between the centres of positions, like PyTorch without aligned corners.
   *
   * @param items number of vectors at each position
   */
  private static float[] interpolate(float[] values, int items, int count, int wanted) {
    int length = items * WIDTH;
    float[] result = new float[wanted * length];
    for (int i = 0; i < wanted; i++) {
      double at = Math.max(0, (i + 0.5) * count / wanted - 0.5);
      int lower = Math.min(count - 1, (int) at);
      int upper = Math.min(count - 1, lower + 1);
      double share = at - lower;
      for (int d = 0; d < length; d++) {
        result[i * length + d] =
            (float) ((1 - share) * values[lower * length + d] + share * values[upper * length + d]);
      }
    }
    return result;
  }
}
