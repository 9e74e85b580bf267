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

/** Between Java's arrays and tensors. */
final class Tensors {
  private Tensors() {}

  /**
   * A tensor that outlives the scope it is made in; whoever keeps it closes it. All that is made on
   * the way to it is let go.
   */
  static Tensor keep(Supplier<Tensor> maker) {
    try (PointerScope scope = new PointerScope()) {
      // Held once more than by the scope, which lets it go below.
      return maker.get().retainReference();
    }
  }

  /** What a batch of so many items looks like. */
  static long[] batchShape(InputShape input, int items) {
    return switch (input.kind()) {
      case TABLE -> new long[] {items, input.channels()};
      case IMAGE -> new long[] {items, input.channels(), input.height(), input.width()};
      case VIDEO ->
          new long[] {items, input.channels(), input.frames(), input.height(), input.width()};
    };
  }

  /**
   * Returns a batch that comes as bytes and becomes floats on the device; each value goes through
   * the same two operations as in Java.
   */
  static Tensor scaled(byte[] values, int items, InputShape input, Scaling scaling, Device device) {
    long[] shape = batchShape(input, items);
    float[] by = scaling.factors();
    long[] perChannel = new long[shape.length];
    Arrays.fill(perChannel, 1);
    perChannel[1] = by.length;
    return of(values, items * input.length(), device, shape)
        .to(ScalarType.Float)
        .sub_(of(scaling.shift(), device, perChannel))
        .mul_(of(by, device, perChannel));
  }

  /** A tensor of the first values; like all that follow it belongs to the innermost scope. */
  static Tensor of(float[] values, int count, Device device, long... shape) {
    Tensor host =
        torch.empty(shape, new TensorOptions(ScalarType.Float), new MemoryFormatOptional());
    host.data_ptr_float().put(values, 0, count);
    return onto(host, device, ScalarType.Float);
  }

  static Tensor of(float[] values, Device device, long... shape) {
    return of(values, values.length, device, shape);
  }

  /** A tensor of bytes, counted from 0 to 255. */
  static Tensor of(byte[] values, int count, Device device, long... shape) {
    Tensor host =
        torch.empty(shape, new TensorOptions(ScalarType.Byte), new MemoryFormatOptional());
    host.data_ptr_byte().put(values, 0, count);
    return onto(host, device, ScalarType.Byte);
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
    return onto(host, device, ScalarType.Long);
  }

  private static Tensor onto(Tensor host, Device device, ScalarType type) {
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
