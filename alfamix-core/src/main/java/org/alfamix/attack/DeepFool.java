package org.alfamix.attack;

import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.Rows;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Network;
import org.alfamix.model.ReluNetwork;

/**
 * DeepFool: approximates the smallest perturbation of an input that changes its prediction. Each
 * step linearizes the network and moves the input to the nearest boundary of the predicted class.
 *
 * <p>S.-M. Moosavi-Dezfooli, A. Fawzi and P. Frossard, "DeepFool: a simple and accurate method to
 * fool deep neural networks", CVPR 2016.
 *
 * @param maxSteps maximum number of steps; an item that still has its class then stays at its last
 *     position
 * @param overshoot relative extension of every step, to cross the boundary
 */
public record DeepFool(int maxSteps, double overshoot) {
  public static final DeepFool DEFAULT = new DeepFool(50, 1e-4);

  /** Rounding error of a logit or a distance, relative to its size. */
  private static final double ROUNDING = 1e-6;

  public DeepFool {
    InvalidRequestException.require(maxSteps >= 1, "maxSteps", "must be at least 1", maxSteps);
    InvalidRequestException.require(
        overshoot >= 0 && overshoot <= 10, "overshoot", "must be in [0, 10]", overshoot);
  }

  /**
   * Returns whether an item is on the boundary within the precision of float, even if rounding
   * keeps it from crossing: the two logits are equal, or the next step is negligible.
   */
  static boolean isOnBoundary(float logit, float other, double distance, double travelled) {
    return Math.abs(logit - other) <= ROUNDING * (Math.abs(logit) + Math.abs(other))
        || distance <= ROUNDING * travelled;
  }

  /** Checks that the squared length of a normal, which is a divisor, is finite, and returns it. */
  static double requireFinite(double squaredNorm) {
    if (!Double.isFinite(squaredNorm)) {
      throw new InvalidDataException(
          "The network's gradients are so large that their squares exceed the range of float;"
              + " scale its weights down.");
    }
    return squaredNorm;
  }

  /** Attacks every input; networks with one hidden ReLU layer use a faster algorithm. */
  public Perturbations attack(Network network, Rows inputs) {
    return network instanceof ReluNetwork relu
        ? new ReluAttack(this, relu).run(inputs)
        : new GeneralAttack(this, network).run(inputs);
  }

  /** Attacks embeddings; for a linear head a single step is exact. */
  public Perturbations attack(LinearHead head, Rows embeddings) {
    return new LinearAttack(this, head).run(embeddings);
  }
}
