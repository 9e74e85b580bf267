package org.alfamix.torch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;

/**
 * Keras's ResNet-50 with torchvision's names. Four conversions keep its outputs the same: kernels
 * are permuted from height × width × inputs × outputs to outputs × inputs × height × width; the
 * first kernel takes red, green, blue instead of blue, green, red; the bias that Keras has before a
 * normalization is subtracted from the mean of the normalization; and because Keras's ε is 1e−3,
 * the variance is increased by the difference to torchvision's ε.
 */
final class KerasResNet50 implements Weights.Source {
  private static final float EPSILON_DIFFERENCE = 1e-3f - 1e-5f;
  private static final int[] BLOCKS = {3, 4, 6, 3};

  /** The origin of a tensor: the kind of conversion, and the names of the layers in Keras. */
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
        String name = "layer%d.%d.".formatted(stage + 1, b);
        String kerasName = "%d%c_branch".formatted(stage + 2, 'a' + b);
        for (int unit = 1; unit <= 3; unit++) {
          String branch = kerasName + "2" + (char) ('a' + unit - 1);
          add(name + "conv" + unit, name + "bn" + unit, "res" + branch, "bn" + branch, Kind.KERNEL);
        }
        if (b == 0) {
          add(
              name + "downsample.0",
              name + "downsample.1",
              "res" + kerasName + "1",
              "bn" + kerasName + "1",
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

  private void add(String convolution, String norm, String layer, String kerasNorm, Kind kernel) {
    origins.put(convolution + ".weight", new Origin(kernel, layer, kerasNorm));
    origins.put(norm + ".weight", new Origin(Kind.SCALE, layer, kerasNorm));
    origins.put(norm + ".bias", new Origin(Kind.SHIFT, layer, kerasNorm));
    origins.put(norm + ".running_mean", new Origin(Kind.MEAN, layer, kerasNorm));
    origins.put(norm + ".running_var", new Origin(Kind.VARIANCE, layer, kerasNorm));
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
      case KERNEL -> kernel(origin.layer, false);
      case FIRST_KERNEL -> kernel(origin.layer, true);
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
          variance[i] += EPSILON_DIFFERENCE;
        }
        yield variance;
      }
      case HEAD -> transpose(origin.layer);
      case HEAD_BIAS -> read(origin.layer + "/bias");
    };
  }

  private float[] read(String tensor) {
    return bundle.array(tensor).readFloats();
  }

  private float[] kernel(String layer, boolean reverseInputs) {
    long[] shape = shapeOf(layer + "/kernel");
    int area = Math.toIntExact(shape[0] * shape[1]);
    int inputs = (int) shape[2];
    int outputs = (int) shape[3];
    float[] source = read(layer + "/kernel");
    float[] target = new float[source.length];
    int at = 0;
    for (int place = 0; place < area; place++) {
      for (int i = 0; i < inputs; i++) {
        int input = reverseInputs ? inputs - 1 - i : i;
        for (int o = 0; o < outputs; o++) {
          target[(o * inputs + input) * area + place] = source[at++];
        }
      }
    }
    return target;
  }

  private float[] transpose(String layer) {
    long[] shape = shapeOf(layer + "/kernel");
    int inputs = (int) shape[0];
    int outputs = (int) shape[1];
    float[] source = read(layer + "/kernel");
    float[] target = new float[source.length];
    for (int i = 0; i < inputs; i++) {
      for (int o = 0; o < outputs; o++) {
        target[o * inputs + i] = source[i * outputs + o];
      }
    }
    return target;
  }
}
