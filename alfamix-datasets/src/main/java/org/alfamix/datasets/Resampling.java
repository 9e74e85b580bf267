package org.alfamix.datasets;

/**
 * Resizes planes with a triangle filter as wide as a target pixel: bilinear interpolation when
 * enlarging, averaging when shrinking. This is the method of Pillow and torchvision.
 */
final class Resampling {

  /** For each target value, the index of its first source value and the weights of all. */
  private record Window(int[] first, float[][] weights) {

    static Window of(int from, int to) {
      double step = (double) from / to;
      double radius = Math.max(1, step);
      int[] first = new int[to];
      float[][] weights = new float[to][];
      for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * step;
        int low = Math.max(0, (int) (centre - radius + 0.5));
        int high = Math.min(from, (int) (centre + radius + 0.5));
        float[] row = new float[high - low];
        double sum = 0;
        for (int s = low; s < high; s++) {
          row[s - low] = (float) Math.max(0, 1 - Math.abs((s + 0.5 - centre) / radius));
          sum += row[s - low];
        }
        for (int s = 0; s < row.length; s++) {
          row[s] = (float) (row[s] / sum);
        }
        first[i] = low;
        weights[i] = row;
      }
      return new Window(first, weights);
    }
  }

  private Resampling() {}

  static float[] resize(float[] plane, int height, int width, int toHeight, int toWidth) {
    float[] wide = width == toWidth ? plane : resizeRows(plane, height, width, toWidth);
    return height == toHeight ? wide : resizeColumns(wide, height, toWidth, toHeight);
  }

  /** Rounds values and clamps them to the range of a byte. */
  static void toBytes(float[] plane, byte[] target, int offset) {
    for (int i = 0; i < plane.length; i++) {
      target[offset + i] = (byte) Math.max(0, Math.min(255, Math.round(plane[i])));
    }
  }

  private static float[] resizeRows(float[] plane, int height, int width, int toWidth) {
    Window window = Window.of(width, toWidth);
    float[] result = new float[height * toWidth];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < toWidth; x++) {
        float[] weights = window.weights()[x];
        int from = y * width + window.first()[x];
        float sum = 0;
        for (int s = 0; s < weights.length; s++) {
          sum += weights[s] * plane[from + s];
        }
        result[y * toWidth + x] = sum;
      }
    }
    return result;
  }

  private static float[] resizeColumns(float[] plane, int height, int width, int toHeight) {
    Window window = Window.of(height, toHeight);
    float[] result = new float[toHeight * width];
    for (int y = 0; y < toHeight; y++) {
      float[] weights = window.weights()[y];
      for (int s = 0; s < weights.length; s++) {
        int from = (window.first()[y] + s) * width;
        for (int x = 0; x < width; x++) {
          result[y * width + x] += weights[s] * plane[from + x];
        }
      }
    }
    return result;
  }
}
