package org.alfamix.torch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;

/**
 * Keras's ResNet-50 under torchvision's names. The same numbers come out, by four changes: kernels
 * are turned from height × width × inputs × outputs to outputs × inputs × height × width; the first
 * takes red, green, blue instead of blue, green, red; the bias that Keras has before a
 * normalisation is taken off the mean in it; and as its ε is 1e−3, the variance grows by what that
 * is more than torchvision's.
 */
final class KerasResNet50 implements Weights.Source {
  private static final float MORE_EPSILON = 1e-3f - 1e-5f;
  private static final int[] BLOCKS = {3, 4, 6, 3};

  /** A tensor of ours: what it is made of, and how. */
  private record Origin(Kind kind, String layer, String norm) {}

  private enum Kind {
    KERNEL,
    FIRST_KERNEL,
    SCALE,
    SHIFT,
    MEAN,
    VARIANCE,
    HEAD,
    HEAD_BIAS
  }

  private final ArrayBundle bundle;
  private final Map<String, Origin> origins = new LinkedHashMap<>();

  KerasResNet50(ArrayBundle bundle) {
    this.bundle = bundle;
    add("conv1", "bn1", "conv1", "bn_conv1", Kind.FIRST_KERNEL);
    for (int stage = 0; stage < BLOCKS.length; stage++) {
      for (int b = 0; b < BLOCKS[stage]; b++) {
        String ours = "layer%d.%d.".formatted(stage + 1, b);
        String theirs = "%d%c_branch".formatted(stage + 2, 'a' + b);
        for (int unit = 1; unit <= 3; unit++) {
          String branch = theirs + "2" + (char) ('a' + unit - 1);
          add(ours + "conv" + unit, ours + "bn" + unit, "res" + branch, "bn" + branch, Kind.KERNEL);
        }
        if (b == 0) {
          add(
              ours + "downsample.0",
              ours + "downsample.1",
              "res" + theirs + "1",
              "bn" + theirs + "1",
              Kind.KERNEL);
        }
      }
    }
    origins.put("fc.weight", new Origin(Kind.HEAD, "fc1000", ""));
    origins.put("fc.bias", new Origin(Kind.HEAD_BIAS, "fc1000", ""));
    for (Origin origin : origins.values()) {
      if (bundle.shape(origin.layer + "/kernel").isEmpty()) {
        throw new DataException(
            "%s: no tensor %s/kernel; expected Keras's ResNet-50."
                .formatted(bundle.name(), origin.layer));
      }
    }
  }

  private void add(String convolution, String norm, String layer, String theirNorm, Kind kernel) {
    origins.put(convolution + ".weight", new Origin(kernel, layer, theirNorm));
    origins.put(norm + ".weight", new Origin(Kind.SCALE, layer, theirNorm));
    origins.put(norm + ".bias", new Origin(Kind.SHIFT, layer, theirNorm));
    origins.put(norm + ".running_mean", new Origin(Kind.MEAN, layer, theirNorm));
    origins.put(norm + ".running_var", new Origin(Kind.VARIANCE, layer, theirNorm));
  }

  @Override
  public String name() {
    return bundle.name();
  }

  @Override
  public List<String> names() {
    return new ArrayList<>(origins.keySet());
  }

  @Override
  public long[] shape(String name) {
    Origin origin = origins.get(name);
    return switch (origin.kind) {
      case KERNEL, FIRST_KERNEL -> {
        long[] shape = shapeOf(origin.layer + "/kernel");
        yield new long[] {shape[3], shape[2], shape[0], shape[1]};
      }
      case HEAD -> {
        long[] shape = shapeOf(origin.layer + "/kernel");
        yield new long[] {shape[1], shape[0]};
      }
      default -> shapeOf(origin.layer + "/bias");
    };
  }

  private long[] shapeOf(String tensor) {
    return bundle.shape(tensor).orElseThrow(() -> bundle.noSuchArray(tensor));
  }

  @Override
  public float[] values(String name) {
    Origin origin = origins.get(name);
    return switch (origin.kind) {
      case KERNEL -> turned(origin.layer, false);
      case FIRST_KERNEL -> turned(origin.layer, true);
      case SCALE -> read(origin.norm + "/gamma");
      case SHIFT -> read(origin.norm + "/beta");
      case MEAN -> {
        float[] mean = read(origin.norm + "/moving_mean");
        float[] bias = read(origin.layer + "/bias");
        for (int i = 0; i < mean.length; i++) {
          mean[i] -= bias[i];
        }
        yield mean;
      }
      case VARIANCE -> {
        float[] variance = read(origin.norm + "/moving_variance");
        for (int i = 0; i < variance.length; i++) {
          variance[i] += MORE_EPSILON;
        }
        yield variance;
      }
      case HEAD -> transposed(origin.layer);
      case HEAD_BIAS -> read(origin.layer + "/bias");
    };
  }

  private float[] read(String tensor) {
    return bundle.array(tensor).readFloats();
  }

  private float[] turned(String layer, boolean reverseInputs) {
    long[] shape = shapeOf(layer + "/kernel");
    int area = Math.toIntExact(shape[0] * shape[1]);
    int inputs = (int) shape[2];
    int outputs = (int) shape[3];
    float[] theirs = read(layer + "/kernel");
    float[] ours = new float[theirs.length];
    int at = 0;
    for (int place = 0; place < area; place++) {
      for (int i = 0; i < inputs; i++) {
        int input = reverseInputs ? inputs - 1 - i : i;
        for (int o = 0; o < outputs; o++) {
          ours[(o * inputs + input) * area + place] = theirs[at++];
        }
      }
    }
    return ours;
  }

  private float[] transposed(String layer) {
    long[] shape = shapeOf(layer + "/kernel");
    int inputs = (int) shape[0];
    int outputs = (int) shape[1];
    float[] theirs = read(layer + "/kernel");
    float[] ours = new float[theirs.length];
    for (int i = 0; i < inputs; i++) {
      for (int o = 0; o < outputs; o++) {
        ours[o * inputs + i] = theirs[i * outputs + o];
      }
    }
    return ours;
  }
}
