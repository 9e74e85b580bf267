package org.alfamix.chart;

import java.util.Locale;

/**
 * Maps values to coordinates of a drawing, with ticks at round numbers.
 *
 * @param from the coordinate of {@code low}
 * @param to the coordinate of {@code high}
 */
public record Axis(double low, double high, double step, double from, double to) {

  /** Returns an axis that covers a range of values, extended to whole ticks. */
  public static Axis covering(double min, double max, int ticks, double from, double to) {
    double span = max > min ? max - min : Math.max(1e-9, Math.abs(max) * 0.1);
    double rough = span / ticks;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = 10 * power;
    for (double factor : new double[] {1, 2, 5}) {
      if (factor * power >= rough * 0.999) {
        step = factor * power;
        break;
      }
    }
    double low = Math.floor(min / step + 1e-9) * step;
    double high = Math.ceil(max / step - 1e-9) * step;
    return new Axis(low, high > low ? high : low + step, step, from, to);
  }

  public double at(double value) {
    return from + (value - low) / (high - low) * (to - from);
  }

  public double[] ticks() {
    int count = (int) Math.round((high - low) / step) + 1;
    double[] ticks = new double[count];
    for (int i = 0; i < count; i++) {
      ticks[i] = low + i * step;
    }
    return ticks;
  }

  /** Formats a tick with the decimals that the step size requires. */
  public String label(double tick) {
    int decimals = (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    double value = Math.abs(tick) < step * 1e-6 ? 0 : tick;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
