package org.alfamix.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alfamix.math.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The kernels that work on single rows. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowKernels {

  @Param({"10", "256", "1024"})
  public int length;

  private float[] x;
  private float[] y;
  private float[] probabilities;
  private int[] arg;

  @Setup
  public void prepare() {
    SplittableRandom random = new SplittableRandom(1);
    x = new float[length];
    y = new float[length];
    probabilities = new float[length];
    arg = new int[length];
    for (int i = 0; i < length; i++) {
      x[i] = (float) random.nextGaussian();
      y[i] = (float) random.nextGaussian();
      probabilities[i] = 1f / length;
    }
  }

  @Benchmark
  public float dot() {
    return Kernels.dot(x, y);
  }

  @Benchmark
  public float squaredDistance() {
    return Kernels.squaredDistance(x, y);
  }

  @Benchmark
  public float[] softmax() {
    Kernels.softmax(x, 0, length);
    return x;
  }

  @Benchmark
  public float entropy() {
    return Kernels.entropy(probabilities, 0, length);
  }

  @Benchmark
  public int argmax() {
    return Kernels.argmax(x, 0, length);
  }

  @Benchmark
  public int[] lowerInto() {
    Kernels.lowerInto(x, 0, -2, 1, y, arg, 1, 0, length);
    return arg;
  }
}
