package org.alfamix.torch;

import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Network;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The whole network, for attacks on its inputs. libtorch computes the gradients of the logits for
 * all items of a batch at once, with one backward pass per class. It is usable until its learner is
 * closed or fitted again.
 */
final class AutogradNetwork implements Network {
  private final Classifier classifier;
  private final Device device;

  AutogradNetwork(Classifier classifier, Device device) {
    this.classifier = classifier;
    this.device = device;
  }

  @Override
  public int inputs() {
    return classifier.input().length();
  }

  @Override
  public int classes() {
    return classifier.classes();
  }

  @Override
  public FloatMatrix logits(FloatMatrix inputs) {
    if (inputs.rows() == 0) {
      return FloatMatrix.zeros(0, classes());
    }
    Torch.setThreads(1);
    FloatMatrix logits = FloatMatrix.zeros(inputs.rows(), classes());
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor x = tensor(inputs);
      Tensors.copy(classifier.forward(x, false, null).logits(), logits.array(), 0);
    }
    return logits;
  }

  @Override
  public Linearization linearize(FloatMatrix inputs) {
    int rows = inputs.rows();
    int length = inputs();
    FloatMatrix logits = FloatMatrix.zeros(rows, classes());
    FloatMatrix gradients = FloatMatrix.zeros(rows * classes(), length);
    if (rows == 0) {
      return new Linearization(logits, gradients);
    }
    Torch.setThreads(1);
    float[] gradient = new float[rows * length];
    try (PointerScope scope = new PointerScope()) {
      Tensor x = tensor(inputs);
      x.requires_grad_(true);
      Tensor outputs = classifier.forward(x, false, null).logits();
      Tensors.copy(outputs, logits.array(), 0);
      for (int k = 0; k < classes(); k++) {
        try (PointerScope inner = new PointerScope()) {
          // Items do not interact, so the gradient of the sum contains the gradient of each item.
          Tensor sum = outputs.select(1, k).sum();
          TensorVector result =
              DeviceTurns.of(device)
                  .take(
                      () ->
                          torch.grad(
                              new TensorVector(sum),
                              new TensorVector(x),
                              new TensorVector(),
                              new BoolOptional(true),
                              false,
                              false));
          Tensors.copy(result.get(0), gradient, 0);
          for (int i = 0; i < rows; i++) {
            System.arraycopy(
                gradient,
                i * length,
                gradients.array(),
                gradients.rowOffset(i * classes() + k),
                length);
          }
        }
      }
    }
    return new Linearization(logits, gradients);
  }

  private Tensor tensor(FloatMatrix inputs) {
    float[] values = new float[inputs.rows() * inputs.columns()];
    System.arraycopy(inputs.array(), inputs.rowOffset(0), values, 0, values.length);
    return Tensors.of(values, device, classifier.batchShape(inputs.rows()));
  }
}
