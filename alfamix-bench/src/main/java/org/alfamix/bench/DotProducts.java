package org.alfamix.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures the block product of alfamix and of OpenBLAS with one thread: 512 rows with 128, the
 * sizes of a step of k-means. OpenBLAS packs both sides in every call; alfamix packs one side once,
 * so it is measured with and without packing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DotProducts {
  static final int ROWS = 512;
  static final int OTHERS = 128;

  @Param({"64", "256", "512", "1024"})
  public int features;

  private FloatMatrix a;
  private FloatMatrix b;
  private PackedRows packed;
  private float[] out;
  private FloatPointer nativeA;
  private FloatPointer nativeB;
  private FloatPointer nativeOut;

  @Setup(Level.Trial)
  public void prepare() {
    a = random(ROWS, 1);
    b = random(OTHERS, 2);
    packed = Kernels.pack(b);
    out = new float[ROWS * packed.stride()];
    nativeA = new FloatPointer(a.array());
    nativeB = new FloatPointer(b.array());
    nativeOut = new FloatPointer((long) ROWS * OTHERS);
    org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads(1);
  }

  @TearDown(Level.Trial)
  public void release() {
    nativeA.close();
    nativeB.close();
    nativeOut.close();
  }

  private FloatMatrix random(int rows, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix matrix = FloatMatrix.zeros(rows, features);
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = (float) random.nextGaussian();
    }
    return matrix;
  }

  @Benchmark
  public float[] alfamix() {
    Kernels.dots(a, packed, out);
    return out;
  }

  @Benchmark
  public float[] alfamixWithPacking() {
    Kernels.dots(a, Kernels.pack(b), out);
    return out;
  }

  @Benchmark
  public FloatPointer openblas() {
    openblas_nolapack.cblas_sgemm(
        openblas_nolapack.CblasRowMajor,
        openblas_nolapack.CblasNoTrans,
        openblas_nolapack.CblasTrans,
        ROWS,
        OTHERS,
        features,
        1,
        nativeA,
        features,
        nativeB,
        features,
        0,
        nativeOut,
        OTHERS);
    return nativeOut;
  }
}
