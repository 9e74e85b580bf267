package org.alfamix.torch;

import java.util.Arrays;
import java.util.function.Supplier;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Conversions between Java arrays and tensors. */
final class Tensors {
  private Tensors() {}

  /**
   * Creates a tensor that outlives the current scope; its owner closes it. Intermediate tensors are
   * released.
   */
  static Tensor keep(Supplier<Tensor> maker) {
    try (PointerScope scope = new PointerScope()) {
      // Retained once more than by the scope, which releases it below.
      return maker.get().retainReference();
    }
  }

  /** Returns the shape of a batch. */
  static long[] batchShape(InputShape input, int items) {
    return switch (input.kind()) {
      case TABLE -> new long[] {items, input.channels()};
      case IMAGE -> new long[] {items, input.channels(), input.height(), input.width()};
      case VIDEO ->
          new long[] {items, input.channels(), input.frames(), input.height(), input.width()};
      case TEXT -> throw new IllegalArgumentException("Networks take features of texts.");
    };
  }

  /**
   * Returns a batch that is transferred as bytes and converted to floats on the device, with the
   * same two operations per value as in Java.
   */
  static Tensor scaled(byte[] values, int items, InputShape input, Scaling scaling, Device device) {
    long[] shape = batchShape(input, items);
    float[] factors = scaling.factors();
    long[] perChannel = new long[shape.length];
    Arrays.fill(perChannel, 1);
    perChannel[1] = factors.length;
    return of(values, items * input.length(), device, shape)
        .to(ScalarType.Float)
        .sub_(of(scaling.shift(), device, perChannel))
        .mul_(of(factors, device, perChannel));
  }

  /** Creates a tensor of the first values. Like those below, it belongs to the innermost scope. */
  static Tensor of(float[] values, int count, Device device, long... shape) {
    Tensor host =
        torch.empty(shape, new TensorOptions(ScalarType.Float), new MemoryFormatOptional());
    host.data_ptr_float().put(values, 0, count);
    return toDevice(host, device, ScalarType.Float);
  }

  static Tensor of(float[] values, Device device, long... shape) {
    return of(values, values.length, device, shape);
  }

  /** Creates a tensor of unsigned bytes. */
  static Tensor of(byte[] values, int count, Device device, long... shape) {
    Tensor host =
        torch.empty(shape, new TensorOptions(ScalarType.Byte), new MemoryFormatOptional());
    host.data_ptr_byte().put(values, 0, count);
    return toDevice(host, device, ScalarType.Byte);
  }

  static Tensor of(int[] values, Device device) {
    long[] longs = new long[values.length];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = values[i];
    }
    Tensor host =
        torch.empty(
            new long[] {longs.length},
            new TensorOptions(ScalarType.Long),
            new MemoryFormatOptional());
    host.data_ptr_long().put(longs, 0, longs.length);
    return toDevice(host, device, ScalarType.Long);
  }

  private static Tensor toDevice(Tensor host, Device device, ScalarType type) {
    return device.is_cpu() ? host : host.to(device, type);
  }

  /** Copies the values of a tensor, in C order, to an array. */
  static void copy(Tensor tensor, float[] target, int offset) {
    try (PointerScope scope = new PointerScope()) {
      Tensor host = tensor.detach().cpu().contiguous();
      host.data_ptr_float().get(target, offset, Math.toIntExact(host.numel()));
    }
  }

  static float[] toArray(Tensor tensor) {
    float[] result = new float[Math.toIntExact(tensor.numel())];
    copy(tensor, result, 0);
    return result;
  }
}
