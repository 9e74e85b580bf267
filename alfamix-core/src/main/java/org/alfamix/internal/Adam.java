package org.alfamix.internal;

import java.util.Arrays;

/**
 * The Adam optimizer: gradient descent that scales the step of each coordinate by the magnitude of
 * its past gradients.
 *
 * <p>D. Kingma and J. Ba, "Adam: A method for stochastic optimization", ICLR 2015. Weight decay is
 * added to the gradient, as in PyTorch's {@code Adam}.
 */
public final class Adam {
  private static final double FIRST_DECAY = 0.9;
  private static final double SECOND_DECAY = 0.999;
  private static final float EPSILON = 1e-8f;

  private final double rate;
  private final float weightDecay;
  private final float[] first;
  private final float[] second;
  private int steps;

  /**
   * @param size number of parameters
   * @param rate length of the first step in every coordinate
   * @param weightDecay λ of a penalty λ/2 ‖parameters‖²
   */
  public Adam(int size, double rate, double weightDecay) {
    this.rate = rate;
    this.weightDecay = (float) weightDecay;
    this.first = new float[size];
    this.second = new float[size];
  }

  /** Resets the optimizer to its initial state. */
  public void reset() {
    Arrays.fill(first, 0);
    Arrays.fill(second, 0);
    steps = 0;
  }

  /**
   * Updates the parameters by one step of descent. Arrays may be longer than the number of
   * parameters.
   */
  public void step(float[] parameters, float[] gradient) {
    steps++;
    float keepFirst = (float) FIRST_DECAY;
    float keepSecond = (float) SECOND_DECAY;
    float takeFirst = (float) (1 - FIRST_DECAY);
    float takeSecond = (float) (1 - SECOND_DECAY);
    float length = (float) (rate / (1 - Math.pow(FIRST_DECAY, steps)));
    float scale = (float) (1 / Math.sqrt(1 - Math.pow(SECOND_DECAY, steps)));
    float[] m = first;
    float[] v = second;
    float decay = weightDecay;
    // Two plain loops, which the compiler vectorizes.
    for (int i = 0; i < m.length; i++) {
      float g = gradient[i] + decay * parameters[i];
      m[i] = keepFirst * m[i] + takeFirst * g;
      v[i] = keepSecond * v[i] + takeSecond * g * g;
    }
    for (int i = 0; i < m.length; i++) {
      parameters[i] -= length * m[i] / ((float) Math.sqrt(v[i]) * scale + EPSILON);
    }
  }
}
