package org.alfamix.datasets;

/**
 * Resizes planes by a triangle filter as wide as a target pixel: bilinear where an image grows,
 * averaging where it shrinks. This is what Pillow and torchvision do when they resize.
 */
final class Resampling {

  /** Which source values make a target value, and by what weight; a row of weights for each. */
  private record Window(int[] first, float[][] weights) {

    static Window of(int from, int to) {
      double step = (double) from / to;
      double reach = Math.max(1, step);
      int[] first = new int[to];
      float[][] weights = new float[to][];
      for (int i = 0; i < to; i++) {
        double centre = (i + 0.5) * step;
        int low = Math.max(0, (int) (centre - reach + 0.5));
        int high = Math.min(from, (int) (centre + reach + 0.5));
        float[] row = new float[high - low];
        double sum = 0;
        for (int s = low; s < high; s++) {
          row[s - low] = (float) Math.max(0, 1 - Math.abs((s + 0.5 - centre) / reach));
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

  /** Rounded, and held within what a byte can tell. */
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
