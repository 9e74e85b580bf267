package org.alfamix.torch;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.datasets.ByteInputs;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;

/** Data sets for the tests. */
final class Sets {
  private Sets() {}

  static Dataset named(String name) {
    return Datasets.open(name, Path.of("nowhere"));
  }

  /** Returns noisy images of a bright square in one of four corners. */
  static Dataset corners(int channels, int side, int items) {
    InputShape shape = InputShape.image(channels, side, side);
    SplittableRandom random = new SplittableRandom(5);
    byte[] pixels = new byte[items * shape.length()];
    random.nextBytes(pixels);
    int[] labels = new int[items];
    for (int i = 0; i < items; i++) {
      labels[i] = i % 4;
      for (int at = 0; at < shape.length(); at++) {
        int y = at / side % side;
        int x = at % side;
        boolean bright = (labels[i] / 2 == 2 * y / side) && (labels[i] % 2 == 2 * x / side);
        int noise = (pixels[i * shape.length() + at] & 0xff) / 4;
        pixels[i * shape.length() + at] = (byte) (noise + (bright ? 120 : 0));
      }
    }
    Dataset.Part all = new Dataset.Part(new ByteInputs(shape, pixels), labels);
    double[] half = new double[channels];
    Arrays.fill(half, 0.5);
    return Dataset.split(
        "corners",
        java.util.List.of("nw", "ne", "sw", "se"),
        all,
        items / 4,
        Scaling.pixels(half, half));
  }

  static int[] first(int count) {
    return IntStream.range(0, count).toArray();
  }
}
