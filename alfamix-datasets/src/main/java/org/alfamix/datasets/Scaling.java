package org.alfamix.datasets;

import java.util.Arrays;
import org.alfamix.error.InvalidDataException;

/**
 * The transformation of values before they are fed to a network: (x − shift) / scale, with a shift
 * and a scale per channel of an image or column of a table.
 */
public record Scaling(float[] shift, float[] scale) {

  public Scaling {
    if (shift.length != scale.length) {
      throw new InvalidDataException(
          "Expected as many shifts as scales, found %d and %d."
              .formatted(shift.length, scale.length));
    }
    for (float value : scale) {
      if (!(value > 0 && value < Float.POSITIVE_INFINITY && Float.isFinite(1 / value))) {
        throw new InvalidDataException("Invalid scale " + value + ", expected a positive number.");
      }
    }
    for (float value : shift) {
      if (!Float.isFinite(value)) {
        throw new InvalidDataException("Invalid shift " + value + ", expected a finite number.");
      }
    }
    shift = shift.clone();
    scale = scale.clone();
  }

  /** Returns a scaling that does not change values. */
  public static Scaling none(InputShape shape) {
    float[] ones = new float[shape.channels()];
    Arrays.fill(ones, 1);
    return new Scaling(new float[shape.channels()], ones);
  }

  /**
   * Returns a scaling of pixels from 0 to 255 by published constants: means and standard deviations
   * per channel, of pixels from 0 to 1.
   */
  public static Scaling pixels(double[] means, double[] deviations) {
    float[] shift = new float[means.length];
    float[] scale = new float[means.length];
    for (int c = 0; c < means.length; c++) {
      shift[c] = (float) (255 * means[c]);
      scale[c] = (float) (255 * deviations[c]);
    }
    return new Scaling(shift, scale);
  }

  /**
   * Returns a scaling to mean 0 and standard deviation 1 per channel over all items; a constant
   * channel is only shifted. Labels are not used, so a pool may be standardized by its own
   * statistics.
   */
  public static Scaling standardizing(Inputs inputs) {
    InputShape shape = inputs.shape();
    int channels = shape.channels();
    int plane = shape.channelLength();
    double[] sum = new double[channels];
    double[] squares = new double[channels];
    float[] item = new float[shape.length()];
    // Relative to the first item, to avoid cancellation if the mean is much larger than the
    // deviation.
    float[] origin = new float[shape.length()];
    if (inputs.size() > 0) {
      inputs.read(0, origin, 0);
    }
    for (int i = 0; i < inputs.size(); i++) {
      inputs.read(i, item, 0);
      for (int c = 0; c < channels; c++) {
        for (int at = c * plane; at < (c + 1) * plane; at++) {
          double x = (double) item[at] - origin[c * plane];
          sum[c] += x;
          squares[c] += x * x;
        }
      }
    }
    double count = Math.max(1, (double) inputs.size() * plane);
    float[] shift = new float[channels];
    float[] scale = new float[channels];
    for (int c = 0; c < channels; c++) {
      double mean = sum[c] / count;
      double variance = Math.max(0, squares[c] / count - mean * mean);
      shift[c] = (float) (origin[c * plane] + mean);
      float deviation = (float) Math.sqrt(variance);
      scale[c] = deviation > 0 ? deviation : 1;
    }
    return new Scaling(shift, scale);
  }

  /** Returns the factors of shifted values: the reciprocals of the scales. */
  public float[] factors() {
    float[] factors = new float[scale.length];
    for (int c = 0; c < factors.length; c++) {
      factors[c] = 1 / scale[c];
    }
    return factors;
  }

  /** Scales one item in place. */
  public void apply(float[] values, int offset, InputShape shape) {
    int plane = shape.channelLength();
    for (int c = 0; c < shape.channels(); c++) {
      float by = 1 / scale[c];
      float minus = shift[c];
      int from = offset + c * plane;
      for (int at = from; at < from + plane; at++) {
        values[at] = (values[at] - minus) * by;
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Scaling that
        && Arrays.equals(shift, that.shift)
        && Arrays.equals(scale, that.scale);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(shift) + Arrays.hashCode(scale);
  }
}
