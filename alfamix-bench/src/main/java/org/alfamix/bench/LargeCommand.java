package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.alfamix.cluster.Clustering;
import org.alfamix.cluster.KMeans;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.RandomIndices;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a selection from a pool of ImageNet's size with a heap that is smaller than the pool.
 */
@Command(
    name = "large",
    description = {
      "Select from a pool that is larger than the heap: seconds per phase, peak memory, and the"
          + " speed of the matrix products in comparison with the machine's peak.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LargeCommand implements Callable<Integer> {
  private static final double GIGA = 1e9;

  @Option(names = "--size", description = "Number of items of the pool.", defaultValue = "1281167")
  private int size;

  @Option(names = "--features", description = "Number of features.", defaultValue = "768")
  private int features;

  @Option(names = "--classes", description = "Number of classes.", defaultValue = "1000")
  private int classes;

  @Option(names = "--budget", description = "Number of items to select.", defaultValue = "10000")
  private int budget;

  @Option(
      names = "--heap",
      description = "The maximum heap, as for Java's -Xmx.",
      defaultValue = "4g")
  private String heap;

  @Option(
      names = "--strategies",
      description = "The strategies to measure, separated by commas.",
      split = ",",
      defaultValue = "entropy,alfamix")
  private List<String> strategies;

  @Option(
      names = "--compared",
      description = "Number of candidates for the comparison of both clustering methods.",
      defaultValue = "8000")
  private int compared;

  @Option(names = "--launcher", description = "The launcher.", defaultValue = "./alfamix")
  private Path launcher;

  @Option(
      names = "--arrays",
      description = "The folder for the pool, which is created if it is missing.",
      defaultValue = "target/bench-arrays")
  private Path arrays;

  @Override
  public Integer call() throws Exception {
    Path folder = arrays.resolve("large-%dx%dx%d".formatted(size, features, classes));
    if (!Files.exists(folder.resolve("bias.npy"))) {
      SyntheticPool.write(folder, size, features, classes);
    }
    // Builds the modules and archives the classes.
    ChildProcess.run(List.of(launcher.toAbsolutePath().toString(), "--version"), Map.of());
    System.out.println("Measured on: " + Machine.description() + "; heap of at most " + heap + ".");
    System.out.println();
    System.out.println(
        "| method | seconds | read | select | phases | candidates | peak heap GB | peak resident GB"
            + " | products GFLOP/s |");
    System.out.println("|---|---:|---:|---:|---|---:|---:|---:|---:|");
    Launcher.Run alfamix = null;
    for (String strategy : strategies) {
      Launcher.Run run = run(folder, strategy);
      print(strategy, run);
      alfamix = strategy.equals("alfamix") ? run : alfamix;
    }
    printPeak();
    if (alfamix != null) {
      System.out.printf("%nClustering: %s.%n", alfamix.text("clustering"));
      compareClusterings(folder);
    }
    return 0;
  }

  private Launcher.Run run(Path folder, String strategy) throws IOException {
    List<String> options =
        List.of(
            "--embeddings",
            folder.resolve("pool").toString(),
            "--labels",
            folder.resolve("labels.npy").toString(),
            "--head-weight",
            folder.resolve("weight.npy").toString(),
            "--head-bias",
            folder.resolve("bias.npy").toString(),
            "--strategy",
            strategy,
            "--budget",
            Integer.toString(budget),
            "--output",
            folder.resolve("picks-" + strategy + ".csv").toString());
    if (strategy.equals("alfamix")) {
      options = new ArrayList<>(options);
      options.addAll(List.of("--candidates", folder.resolve("candidates.npy").toString()));
    }
    return new Launcher(launcher).select(folder, "-Xmx" + heap, options);
  }

  private void print(String strategy, Launcher.Run run) {
    // alfamix multiplies the pool with weights and anchors, entropy only with the weights.
    boolean twice = strategy.equals("alfamix");
    double operations = 2.0 * size * features * classes * (twice ? 2 : 1);
    double seconds = run.number(twice ? "scan" : "score");
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %.1f | %s | %,d | %.2f | %.2f | %.0f |%n",
        strategy,
        run.seconds(),
        run.number("read"),
        run.number("select"),
        run.phases(),
        (long) run.number("candidates"),
        run.number("peakHeapBytes") / GIGA,
        run.number("peakResidentBytes") / GIGA,
        operations / seconds / GIGA);
    System.out.flush();
  }

  /** Prints the peak speed for data in the cache, of alfamix and of OpenBLAS. */
  private void printPeak() {
    int threads = Runtime.getRuntime().availableProcessors();
    int rows = 128;
    int others = 512;
    double each = 2.0 * rows * others * features;
    double[] alfamix = new double[threads];
    double[] openBlas = new double[threads];
    Parallel.with(
        threads,
        () -> {
          Parallel.forBlocks(threads, 1, (t, end) -> alfamix[t] = each * alfamixRate(rows, others));
          Parallel.forBlocks(
              threads, 1, (t, end) -> openBlas[t] = each * openBlasRate(rows, others));
          return null;
        });
    System.out.printf(
        Locale.ROOT,
        "%nPeak of %d threads on blocks in the cache: %.0f GFLOP/s with the block product of"
            + " alfamix, %.0f with OpenBLAS.%n",
        threads,
        Arrays.stream(alfamix).sum() / GIGA,
        Arrays.stream(openBlas).sum() / GIGA);
  }

  private double alfamixRate(int rows, int others) {
    FloatMatrix a = random(rows);
    PackedRows packed = Kernels.pack(random(others));
    float[] out = new float[rows * packed.stride()];
    return rate(() -> Kernels.dots(a, packed, out));
  }

  private double openBlasRate(int rows, int others) {
    org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads(1);
    try (FloatPointer a = new FloatPointer(random(rows).array());
        FloatPointer b = new FloatPointer(random(others).array());
        FloatPointer out = new FloatPointer((long) rows * others)) {
      return rate(
          () ->
              openblas_nolapack.cblas_sgemm(
                  openblas_nolapack.CblasRowMajor,
                  openblas_nolapack.CblasNoTrans,
                  openblas_nolapack.CblasTrans,
                  rows,
                  others,
                  features,
                  1,
                  a,
                  features,
                  b,
                  features,
                  0,
                  out,
                  others));
    }
  }

  private FloatMatrix random(int rows) {
    SplittableRandom random = new SplittableRandom(rows);
    FloatMatrix matrix = FloatMatrix.zeros(rows, features);
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = (float) random.nextGaussian();
    }
    return matrix;
  }

  /** Returns the calls per second, measured for three seconds after one second of warm-up. */
  private static double rate(Runnable work) {
    runFor(1e9, work);
    long start = System.nanoTime();
    int calls = runFor(3e9, work);
    return calls / ((System.nanoTime() - start) / GIGA);
  }

  private static int runFor(double nanos, Runnable work) {
    long start = System.nanoTime();
    int calls = 0;
    while (System.nanoTime() - start < nanos) {
      work.run();
      calls++;
    }
    return calls;
  }

  /** Compares the clusterings on a sample with the same ratio of candidates to clusters. */
  private void compareClusterings(Path folder) {
    int[] candidates = Npy.open(folder.resolve("candidates.npy")).readInts();
    if (candidates.length < compared) {
      return;
    }
    int clusters = (int) ((long) compared * budget / candidates.length);
    int[] sample =
        Arrays.stream(RandomIndices.distinct(candidates.length, compared, new SplittableRandom(1)))
            .map(c -> candidates[c])
            .sorted()
            .toArray();
    FloatMatrix rows = Npy.open(folder.resolve("pool/0-unlabelled.npy")).rows().gather(sample);
    Kernels.normalizeRows(rows);
    KMeans.Options options = KMeans.Options.of(clusters);
    long start = System.nanoTime();
    Clustering full = KMeans.cluster(rows, options, new SplittableRandom(1));
    double fullSeconds = (System.nanoTime() - start) / GIGA;
    start = System.nanoTime();
    Clustering fast = KMeans.clusterApproximately(rows, options, new SplittableRandom(1));
    double fastSeconds = (System.nanoTime() - start) / GIGA;
    System.out.printf(
        Locale.ROOT,
        "On %,d of the candidates with %,d clusters: inertia %.1f in %.1f s for the full method"
            + " (%s), and %.1f in %.1f s for the approximation, %.1f %% more.%n",
        compared,
        clusters,
        full.inertia(),
        fullSeconds,
        full.method(),
        fast.inertia(),
        fastSeconds,
        100 * (fast.inertia() / full.inertia() - 1));
  }
}
