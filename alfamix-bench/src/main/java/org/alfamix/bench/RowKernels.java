package org.alfamix.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the kernels for single rows. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowKernels {

  @Param({"10", "256", "1024"})
  public int length;

  private float[] x;
  private float[] y;
  private FloatMatrix probabilities;
  private final double[] entropies = new double[1];
  private int[] arg;

  @Setup
  public void prepare() {
    SplittableRandom random = new SplittableRandom(1);
    x = new float[length];
    y = new float[length];
    probabilities = FloatMatrix.zeros(1, length);
    arg = new int[length];
    for (int i = 0; i < length; i++) {
      x[i] = (float) random.nextGaussian();
      y[i] = (float) random.nextGaussian();
      probabilities.set(0, i, 1f / length);
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
  public double[] entropy() {
    Kernels.entropyRows(probabilities, entropies, 0);
    return entropies;
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
