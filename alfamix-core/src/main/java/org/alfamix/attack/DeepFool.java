package org.alfamix.attack;

import org.alfamix.error.InvalidDataException;
import org.alfamix.math.Rows;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Network;
import org.alfamix.model.ReluNetwork;

/**
 * DeepFool: the smallest perturbation of an input that changes its prediction, approximately.
 * Pretend that the network is linear, step to the nearest boundary of the predicted class, look
 * again.
 *
 * <p>S.-M. Moosavi-Dezfooli, A. Fawzi and P. Frossard, "DeepFool: a simple and accurate method to
 * fool deep neural networks", CVPR 2016.
 *
 * @param maxSteps an item that keeps its class for so many steps stays where it is then
 * @param overshoot every step is longer by this share, to land beyond the boundary
 */
public record DeepFool(int maxSteps, double overshoot) {
  public static final DeepFool DEFAULT = new DeepFool(50, 1e-4);

  /** Rounding error of a logit or a distance, relative to its size. */
  private static final double ROUNDING = 1e-6;

  public DeepFool {
    if (maxSteps < 1) {
      throw new IllegalArgumentException("maxSteps must be at least 1, got " + maxSteps + ".");
    }
    if (!(overshoot >= 0 && overshoot <= 10)) {
      throw new IllegalArgumentException("overshoot must be in [0, 10], got " + overshoot + ".");
    }
  }

  /**
   * Whether an item is on the boundary as far as float can tell, though rounding may keep it from
   * crossing: the two logits are equal, or the next step would be next to nothing.
   */
  static boolean hasArrived(float logit, float other, double distance, double travelled) {
    return Math.abs(logit - other) <= ROUNDING * (Math.abs(logit) + Math.abs(other))
        || distance <= ROUNDING * travelled;
  }

  /** The square of a normal's length, which must be a number to divide by. */
  static double requireFinite(double squaredNorm) {
    if (!Double.isFinite(squaredNorm)) {
      throw new InvalidDataException(
          "The network's gradients are so large that their squares exceed the range of float;"
              + " scale its weights down.");
    }
    return squaredNorm;
  }

  /** Attacks every input; a network of a kind that we know well takes a shorter way. */
  public Perturbations attack(Network network, Rows inputs) {
    return network instanceof ReluNetwork relu
        ? new ReluAttack(this, relu).run(inputs)
        : new GeneralAttack(this, network).run(inputs);
  }

  /** Attacks embeddings: for a linear head one step is exact. */
  public Perturbations attack(LinearHead head, Rows embeddings) {
    return new LinearAttack(this, head).run(embeddings);
  }
}
