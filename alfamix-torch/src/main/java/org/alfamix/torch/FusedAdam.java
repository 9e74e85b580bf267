package org.alfamix.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;
import org.alfamix.learn.Optimization;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorType;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;

/**
 * Adam or AdamW with PyTorch's constants (β₁ 0.9, β₂ 0.999, ε 1e−8), using the operator that
 * updates all tensors at once. The C++ API does not expose this operator, but libtorch's dispatcher
 * finds it by name.
 */
final class FusedAdam implements AutoCloseable {
  private static final double BETA_1 = 0.9;
  private static final double BETA_2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final List<String> names;
  private final List<Tensor> parameters;
  private final double weightDecay;
  private final List<Pointer> owned = new ArrayList<>();
  private final OperatorHandle operator;
  private final Scalar one;

  /** The number of steps, shared by all tensors. */
  private final Tensor step;

  private final IValue values;
  private final IValue means;
  private final IValue squares;
  private final IValue maxima;
  private final IValue steps;

  /**
   * @param named the tensors to train, by name
   * @param weightDecay weight decay of AdamW
   */
  FusedAdam(Map<String, Tensor> named, Optimization.Method method, double weightDecay) {
    this.names = List.copyOf(named.keySet());
    this.parameters = List.copyOf(named.values());
    this.weightDecay = weightDecay;
    try (PointerScope scope = new PointerScope()) {
      this.operator =
          own(
              new OperatorHandle(
                  Dispatcher.singleton()
                      .findSchemaOrThrow("aten::_fused_%s_".formatted(method), "")));
      this.one = own(new Scalar(1.0f));
      Tensor first = this.parameters.get(0).detach().flatten().select(0, 0);
      this.step = own(torch.zeros_like(first));
      this.values = own(list(this.parameters));
      this.means = own(list(zeros()));
      this.squares = own(list(zeros()));
      this.maxima = own(list(List.of()));
      this.steps = own(list(this.parameters.stream().map(parameter -> step).toList()));
    }
  }

  /** Keeps a pointer beyond the scope of its creation, until the optimizer is closed. */
  private <T extends Pointer> T own(T pointer) {
    owned.add(pointer.retainReference());
    return pointer;
  }

  /** Returns zeros for each parameter; the list that takes them keeps them alive. */
  private List<Tensor> zeros() {
    return parameters.stream().map(parameter -> torch.zeros_like(parameter.detach())).toList();
  }

  private static IValue list(List<Tensor> tensors) {
    GenericList list = new GenericList(new Type.TypePtr(TensorType.get()));
    for (Tensor tensor : tensors) {
      list.push_back(new IValue(tensor));
    }
    return new IValue(list);
  }

  /** Updates the parameters, and releases their gradients; call it within a scope. */
  void step(double rate) {
    step.add_(one);
    List<Tensor> gradients = new ArrayList<>(parameters.size());
    for (int p = 0; p < parameters.size(); p++) {
      Tensor gradient = parameters.get(p).grad();
      if (!gradient.defined()) {
        throw new DataException(
            "The network registers %s, but does not use it for its embeddings."
                .formatted(names.get(p)));
      }
      gradients.add(gradient);
    }
    operator.callBoxed(
        new IValueVector(
            values,
            list(gradients),
            means,
            squares,
            maxima,
            steps,
            new IValue(rate),
            new IValue(BETA_1),
            new IValue(BETA_2),
            new IValue(weightDecay),
            new IValue(EPSILON),
            new IValue(false),
            new IValue(false),
            new IValue(),
            new IValue()));
    releaseGradients();
  }

  /** Releases all gradients; call it within a scope. */
  private void releaseGradients() {
    for (Tensor parameter : parameters) {
      parameter.mutable_grad().reset();
    }
  }

  @Override
  public void close() {
    // A step that failed may have left gradients.
    try (PointerScope scope = new PointerScope()) {
      releaseGradients();
    }
    owned.forEach(Pointer::close);
  }
}
