package org.alfamix.torch;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.alfamix.io.DataException;
import org.alfamix.math.Seeds;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * The tensors of a network by their names: parameters, which are learnt, and buffers, which are
 * kept along. Initial values come from a generator of our own, one per tensor, because libtorch's
 * belongs to the whole process.
 */
public final class Parameters implements AutoCloseable {

  /** Draws the initial values of a tensor. */
  @FunctionalInterface
  public interface Initial {
    float next(SplittableRandom random);
  }

  /** Weights beyond this leave the range of float when they are squared and summed. */
  private static final float MOST = 1e15f;

  private final Map<String, Tensor> parameters = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final Set<String> norms = new HashSet<>();
  private final Set<String> frozen = new HashSet<>();
  private final Map<String, long[]> shapes = new LinkedHashMap<>();
  private final Device device;
  private final long seed;
  private final boolean drawn;

  Parameters(Device device, long seed) {
    this(device, seed, true);
  }

  private Parameters(Device device, long seed, boolean drawn) {
    this.device = device;
    this.seed = seed;
    this.drawn = drawn;
  }

  /** All zeros, for those who will overwrite them: drawing a hundred million takes seconds. */
  static Parameters zeros(Device device) {
    return new Parameters(device, 0, false);
  }

  /** All values the same. */
  public static Initial constant(float value) {
    return random -> value;
  }

  /** Evenly from −bound to bound. */
  public static Initial uniform(double bound) {
    return random -> (float) (bound * (2 * random.nextDouble() - 1));
  }

  /** Normally around 0. */
  public static Initial normal(double deviation) {
    return random -> (float) (deviation * random.nextGaussian());
  }

  /** Adds a tensor that is learnt. */
  public Tensor parameter(String name, Initial initial, long... shape) {
    Tensor tensor = add(parameters, name, initial, shape);
    tensor.requires_grad_(true);
    return tensor;
  }

  /** Adds a scale or shift of a normalisation. */
  public Tensor norm(String name, float value, long... shape) {
    norms.add(name);
    return parameter(name, constant(value), shape);
  }

  /** Adds a tensor that is not learnt. */
  public Tensor buffer(String name, float value, long... shape) {
    return add(buffers, name, constant(value), shape);
  }

  private Tensor add(Map<String, Tensor> to, String name, Initial initial, long... shape) {
    if (shapes.containsKey(name)) {
      throw new IllegalArgumentException("There are two tensors named " + name + ".");
    }
    long count = 1;
    for (long length : shape) {
      count *= length;
    }
    if (count > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "%s would have %,d values, which is too many; take smaller inputs."
              .formatted(name, count));
    }
    int size = (int) count;
    // By name, not by order: a network may add a layer without changing the others.
    SplittableRandom random = Seeds.at(seed, name.hashCode(), shape.length);
    float[] values = new float[size];
    for (int i = 0; drawn && i < size; i++) {
      values[i] = initial.next(random);
    }
    Tensor tensor = Tensors.keep(() -> Tensors.of(values, device, shape));
    to.put(name, tensor);
    shapes.put(name, shape.clone());
    return tensor;
  }

  /** The tensors that are learnt, in the order in which they were added. */
  Map<String, Tensor> learnt() {
    Map<String, Tensor> learnt = new LinkedHashMap<>(parameters);
    learnt.keySet().removeAll(frozen);
    return learnt;
  }

  /** Keeps parameters as they are from now on. */
  void freeze(Predicate<String> which) {
    parameters.forEach(
        (name, tensor) -> {
          if (which.test(name)) {
            frozen.add(name);
            tensor.requires_grad_(false);
          }
        });
  }

  /** Whether a tensor is a scale or shift of a normalisation. */
  boolean isNorm(String name) {
    return norms.contains(name);
  }

  /** Number of values of all parameters, whether they are kept as they are or not. */
  long count() {
    return parameters.values().stream().mapToLong(Tensor::numel).sum();
  }

  /** Shapes by name, parameters and buffers. */
  Map<String, long[]> shapes() {
    return Collections.unmodifiableMap(shapes);
  }

  boolean isBuffer(String name) {
    return buffers.containsKey(name);
  }

  Tensor tensor(String name) {
    Tensor tensor = parameters.containsKey(name) ? parameters.get(name) : buffers.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("There is no tensor named " + name + ".");
    }
    return tensor;
  }

  /** Fails where a value has become infinite or so large that its square is; no loss need tell. */
  void requireFinite() {
    try (PointerScope scope = new PointerScope()) {
      for (String name : shapes.keySet()) {
        if (!(tensor(name).detach().abs().max().item_float() < MOST)) {
          throw new DataException(
              "%s has values that are not finite or beyond all measure; after a training, a smaller rate may help."
                  .formatted(name));
        }
      }
    }
  }

  /** A copy of all values. */
  Map<String, float[]> values() {
    Map<String, float[]> values = new LinkedHashMap<>();
    shapes.keySet().forEach(name -> values.put(name, Tensors.toArray(tensor(name))));
    return values;
  }

  /** Overwrites the values of one tensor. */
  void set(String name, float[] values) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor tensor = tensor(name);
      if (values.length != tensor.numel()) {
        throw new IllegalArgumentException(
            "%s has %d values, got %d.".formatted(name, tensor.numel(), values.length));
      }
      tensor.copy_(Tensors.of(values, device, shapes.get(name)));
    }
  }

  void set(Map<String, float[]> values) {
    values.forEach(this::set);
  }

  @Override
  public void close() {
    parameters.values().forEach(Tensor::close);
    buffers.values().forEach(Tensor::close);
  }
}
