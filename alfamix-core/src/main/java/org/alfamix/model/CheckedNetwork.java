package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/** A foreign network whose answers are checked, as those of a foreign head are. */
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
    Linearization answer = network.linearize(inputs);
    CheckedHead.check(answer.logits(), inputs.rows(), classes(), "logits of the network");
    CheckedHead.check(
        answer.gradients(), inputs.rows() * classes(), inputs(), "gradients of the network");
    return answer;
  }
}
