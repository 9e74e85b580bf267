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
 * The tensors of a network by name: parameters, which are trained, and buffers, which are not.
 * Initial values come from a separate generator for each tensor, because libtorch's generator is
 * shared by the whole process.
 */
public final class Parameters implements AutoCloseable {

  /** Generates the initial values of a tensor. */
  @FunctionalInterface
  public interface Initializer {
    float next(SplittableRandom random);
  }

  /** Larger weights exceed the range of float when they are squared and summed. */
  private static final float MAX_MAGNITUDE = 1e15f;

  private final Map<String, Tensor> parameters = new LinkedHashMap<>();
  private final Map<String, Tensor> buffers = new LinkedHashMap<>();
  private final Set<String> norms = new HashSet<>();
  private final Set<String> frozen = new HashSet<>();
  private final Map<String, long[]> shapes = new LinkedHashMap<>();
  private final Device device;
  private final long seed;
  private final boolean random;

  Parameters(Device device, long seed) {
    this(device, seed, true);
  }

  private Parameters(Device device, long seed, boolean random) {
    this.device = device;
    this.seed = seed;
    this.random = random;
  }

  /**
   * Creates parameters of zeros, to be overwritten: a hundred million random values take seconds.
   */
  static Parameters zeros(Device device) {
    return new Parameters(device, 0, false);
  }

  /** Returns an initializer with the same value everywhere. */
  public static Initializer constant(float value) {
    return random -> value;
  }

  /** Returns an initializer with a uniform distribution from −bound to bound. */
  public static Initializer uniform(double bound) {
    return random -> (float) (bound * (2 * random.nextDouble() - 1));
  }

  /** Returns an initializer with a normal distribution of mean 0. */
  public static Initializer normal(double deviation) {
    return random -> (float) (deviation * random.nextGaussian());
  }

  /** Adds a trainable tensor. */
  public Tensor parameter(String name, Initializer initial, long... shape) {
    Tensor tensor = add(parameters, name, initial, shape);
    tensor.requires_grad_(true);
    return tensor;
  }

  /** Adds a scale or shift of a normalization layer. */
  public Tensor norm(String name, float value, long... shape) {
    norms.add(name);
    return parameter(name, constant(value), shape);
  }

  /** Adds a tensor that is not trained. */
  public Tensor buffer(String name, float value, long... shape) {
    return add(buffers, name, constant(value), shape);
  }

  private Tensor add(Map<String, Tensor> to, String name, Initializer initial, long... shape) {
    if (shapes.containsKey(name)) {
      throw new IllegalArgumentException("Duplicate tensor name " + name + ".");
    }
    long count = 1;
    for (long length : shape) {
      count *= length;
    }
    if (count > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "%s would have %,d values, which is too many. Use smaller inputs."
              .formatted(name, count));
    }
    int size = (int) count;
    // Seeded by name, not by order, so that an added layer does not change the others.
    SplittableRandom generator = Seeds.at(seed, name.hashCode(), shape.length);
    float[] values = new float[size];
    for (int i = 0; random && i < size; i++) {
      values[i] = initial.next(generator);
    }
    Tensor tensor = Tensors.keep(() -> Tensors.of(values, device, shape));
    to.put(name, tensor);
    shapes.put(name, shape.clone());
    return tensor;
  }

  /** Returns the parameters that are not frozen, in the order in which they were added. */
  Map<String, Tensor> trainable() {
    Map<String, Tensor> trainable = new LinkedHashMap<>(parameters);
    trainable.keySet().removeAll(frozen);
    return trainable;
  }

  /** Excludes parameters from training. */
  void freeze(Predicate<String> which) {
    parameters.forEach(
        (name, tensor) -> {
          if (which.test(name)) {
            frozen.add(name);
            tensor.requires_grad_(false);
          }
        });
  }

  /** Returns whether a tensor is a scale or shift of a normalization layer. */
  boolean isNorm(String name) {
    return norms.contains(name);
  }

  /** Returns the number of values of all parameters, including frozen ones. */
  long count() {
    return parameters.values().stream().mapToLong(Tensor::numel).sum();
  }

  /** Returns the shapes of parameters and buffers by name. */
  Map<String, long[]> shapes() {
    return Collections.unmodifiableMap(shapes);
  }

  boolean isBuffer(String name) {
    return buffers.containsKey(name);
  }

  Tensor tensor(String name) {
    Tensor tensor = parameters.containsKey(name) ? parameters.get(name) : buffers.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("Unknown tensor " + name + ".");
    }
    return tensor;
  }

  /** Fails if a value is not finite or too large to be squared; the loss need not show it. */
  void requireFinite() {
    try (PointerScope scope = new PointerScope()) {
      for (String name : shapes.keySet()) {
        if (!(tensor(name).detach().abs().max().item_float() < MAX_MAGNITUDE)) {
          throw new DataException(
              "%s has values that are not finite or too large. If training produced them, try a lower learning rate."
                  .formatted(name));
        }
      }
    }
  }

  /** Returns a copy of all values. */
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
