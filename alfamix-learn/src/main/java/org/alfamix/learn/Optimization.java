package org.alfamix.learn;

import java.util.Locale;
import java.util.Optional;
import org.alfamix.error.InvalidRequestException;

/**
 * The optimizer of a fit and its schedule: the learning rate grows linearly during the warm-up and
 * then falls to the final rate along half a cosine wave (I. Loshchilov, F. Hutter, "SGDR", ICLR
 * 2017).
 *
 * @param method Adam, or AdamW, whose weight decay is decoupled from the gradient (I. Loshchilov,
 *     F. Hutter, "Decoupled weight decay regularization", ICLR 2019)
 * @param weightDecay weight decay of AdamW; vectors, such as biases and norms, are exempt
 * @param warmUpEpochs number of epochs in which the rate grows; 0 for no warm-up
 * @param finalRate learning rate at the end of the cosine; empty for a constant rate
 */
public record Optimization(
    Method method, double weightDecay, int warmUpEpochs, Optional<Double> finalRate) {

  /** Optimizers. */
  public enum Method {
    ADAM,
    ADAMW;

    public static Method parse(String text) {
      for (Method method : values()) {
        if (method.toString().equals(text)) {
          return method;
        }
      }
      throw new InvalidRequestException(
          "optimizer", "is '%s', expected adam or adamw.".formatted(text));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Adam with a constant learning rate. */
  public static final Optimization ADAM = new Optimization(Method.ADAM, 0, 0, Optional.empty());

  /** The rate at the start of a warm-up, as a share of the full one. */
  private static final double WARM_UP_START = 0.01;

  public Optimization {
    if (!(weightDecay >= 0 && weightDecay < 1)) {
      throw new InvalidRequestException(
          "weight-decay", "is %s, expected a number in [0, 1).".formatted(weightDecay));
    }
    if (weightDecay > 0 && method != Method.ADAMW) {
      throw new InvalidRequestException("weight-decay", "applies only to adamw.");
    }
    if (warmUpEpochs < 0) {
      throw new InvalidRequestException(
          "warm-up-epochs", "is %d, expected at least 0.".formatted(warmUpEpochs));
    }
    if (finalRate.isPresent()
        && !(finalRate.get() > 0 && finalRate.get() < Double.POSITIVE_INFINITY)) {
      throw new InvalidRequestException(
          "final-rate", "is %s, expected a positive number.".formatted(finalRate.get()));
    }
  }

  /** Returns whether the learning rate is constant. */
  public boolean isConstant() {
    return warmUpEpochs == 0 && finalRate.isEmpty();
  }

  /**
   * Returns the learning rate at a point of a fit.
   *
   * @param base the full rate
   * @param epoch number of epochs so far, including a fraction
   * @param epochs number of epochs of the fit
   */
  public double rate(double base, double epoch, int epochs) {
    if (epoch < warmUpEpochs) {
      return base * (WARM_UP_START + (1 - WARM_UP_START) * epoch / warmUpEpochs);
    }
    if (finalRate.isEmpty()) {
      return base;
    }
    double progress = epochs <= warmUpEpochs ? 1 : (epoch - warmUpEpochs) / (epochs - warmUpEpochs);
    return finalRate.get()
        + (base - finalRate.get()) * (1 + Math.cos(Math.PI * Math.min(1, progress))) / 2;
  }
}
