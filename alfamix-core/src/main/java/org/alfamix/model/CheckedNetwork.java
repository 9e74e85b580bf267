package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/** A custom network whose results are checked, like those of a {@link CheckedHead}. */
record CheckedNetwork(Network network) implements Network {

  @Override
  public int inputs() {
    return network.inputs();
  }

  @Override
  public int classes() {
    return network.classes();
  }

  @Override
  public FloatMatrix logits(FloatMatrix inputs) {
    return CheckedHead.check(
        network.logits(inputs), inputs.rows(), classes(), "logits of the network");
  }

  @Override
  public Linearization linearize(FloatMatrix inputs) {
    Linearization result = network.linearize(inputs);
    CheckedHead.check(result.logits(), inputs.rows(), classes(), "logits of the network");
    CheckedHead.check(
        result.gradients(), inputs.rows() * classes(), inputs(), "gradients of the network");
    return result;
  }
}
