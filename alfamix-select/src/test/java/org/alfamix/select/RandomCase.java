package org.alfamix.select;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.mix.Anchors;
import org.alfamix.model.LinearHead;

/**
 * A random pool with random labels and a random head, and a reference implementation of the methods
 * with plain loops in double precision, on the same floats as the engine. Every result has a bound
 * on the rounding error of single precision.
 */
final class RandomCase {
  private static final double ROUNDING = 0x1p-24;
  private static final List<String> TYPES = List.of("<f2", "<f4", "<f8", ">f2", ">f4", ">f8");

  /** Whether an item flips; undecided if rounding may change the result. */
  enum Verdict {
    FLIPS,
    STAYS,
    UNDECIDED
  }

  private final String strategy;
  private final SplittableRandom random;
  private final Path folder;
  private final String type;
  private final double offset;
  private final double scale;
  private final int items;
  private final int features;
  private final int classes;
  private final double[][] pool;
  private final int[] labelled;
  private final int[] labels;
  private final int budget;
  private final int cap;
  private final LinearHead head;
  private final Path poolFile;
  private Path probabilityFile;
  private Path dropoutFile;
  private double[][][] dropout;

  /** Probabilities of all items. */
  private final double[][] probabilities;

  /** Bounds on the errors of the engine's logits. */
  private final double[] logitError;

  RandomCase(String strategy, long seed, Path folder) throws IOException {
    this.strategy = strategy;
    this.folder = folder;
    this.random = new SplittableRandom(seed * 31 + strategy.hashCode());
    this.type = TYPES.get(random.nextInt(TYPES.size()));
    this.items = 2 + random.nextInt(40);
    this.features = 1 + random.nextInt(random.nextInt(10) == 0 ? 150 : 24);
    this.classes = 2 + random.nextInt(5);
    double[] offsets =
        type.endsWith("f2") ? new double[] {0, 30} : new double[] {0, 0, 300, 1e4, 1e6};
    this.offset = offsets[random.nextInt(offsets.length)];
    this.scale = new double[] {0.05, 1, 20}[random.nextInt(3)];
    this.pool = new double[items][features];
    this.poolFile = write("pool", type, fillPool(), items, features);
    int count = strategy.equals("alfamix") ? 1 + random.nextInt(items - 1) : random.nextInt(items);
    this.labelled = random.ints(0, items).distinct().limit(count).sorted().toArray();
    this.labels = random.ints(count, 0, classes).toArray();
    this.budget = 1 + random.nextInt(items - count);
    boolean capped = !List.of("alfamix", "bald").contains(strategy) && random.nextInt(4) == 0;
    this.cap = capped ? 1 + random.nextInt(3) : Integer.MAX_VALUE;
    this.head = randomHead();
    this.probabilities = new double[items][];
    this.logitError = new double[items];
    boolean given = !strategy.equals("alfamix") && random.nextInt(3) == 0;
    for (int i = 0; i < items; i++) {
      probabilities[i] = given ? distribution() : softmax(logits(pool[i]));
      logitError[i] = given ? 0 : logitError(pool[i]);
    }
    if (given) {
      this.probabilityFile = write("probabilities", "<f4", probabilities, items, classes);
    }
    if (strategy.equals("bald")) {
      dropOut();
    }
  }

  /** Fills the pool with the values that the engine reads; returns the values of the file. */
  private double[][] fillPool() {
    boolean single = random.nextBoolean();
    int column = random.nextInt(features);
    double[][] stored = new double[items][features];
    for (int i = 0; i < items; i++) {
      if (i > 0 && random.nextInt(6) == 0) {
        stored[i] = stored[random.nextInt(i)].clone(); // a duplicate
      } else {
        for (int d = 0; d < features; d++) {
          double value = scale * random.nextGaussian() + (single && d != column ? 0 : offset);
          // Multiples of 1/16 are exact in half precision up to 128.
          double rounded = type.endsWith("f2") ? Math.rint(value * 16) / 16 : value;
          stored[i][d] = random.nextInt(5) == 0 && offset == 0 ? 0 : rounded;
        }
      }
      pool[i] = Arrays.stream(stored[i]).map(value -> (float) value).toArray();
    }
    return stored;
  }

  private LinearHead randomHead() {
    FloatMatrix weights = FloatMatrix.zeros(classes, features);
    float[] bias = new float[classes];
    for (int k = 0; k < classes; k++) {
      double shift = 0;
      for (int d = 0; d < features; d++) {
        weights.set(k, d, (float) (random.nextGaussian() / (scale * Math.sqrt(features))));
        shift += weights.get(k, d) * Arrays.stream(column(d)).average().orElseThrow();
      }
      bias[k] = (float) (random.nextGaussian() - shift);
    }
    return new LinearHead(weights, bias);
  }

  private double[] column(int d) {
    return Arrays.stream(pool).mapToDouble(row -> row[d]).toArray();
  }

  private double[] distribution() {
    double[] p = random.doubles(classes).map(u -> u < 0.1 ? 0 : u).toArray();
    p[random.nextInt(classes)] += 0.1;
    double sum = Arrays.stream(p).sum();
    return Arrays.stream(p).map(value -> (float) (value / sum)).toArray();
  }

  private void dropOut() throws IOException {
    int draws = 1 + random.nextInt(6);
    dropout = new double[draws][items][];
    double[][] flat = new double[draws * items][];
    for (int t = 0; t < draws; t++) {
      for (int i = 0; i < items; i++) {
        dropout[t][i] = distribution();
        flat[t * items + i] = dropout[t][i];
      }
    }
    dropoutFile = write("dropout", "<f4", flat, draws, items, classes);
  }

  /** Writes a NumPy file. */
  private Path write(String name, String type, double[][] rows, int... shape) throws IOException {
    String dimensions = Arrays.toString(shape).replaceAll("[\\[\\]]", "");
    String dictionary =
        "{'descr': '%s', 'fortran_order': False, 'shape': (%s,), }".formatted(type, dimensions);
    String header = dictionary + " ".repeat(63 - (10 + dictionary.length()) % 64) + "\n";
    int width = Character.digit(type.charAt(2), 10);
    int values = Arrays.stream(shape).reduce(1, Math::multiplyExact);
    ByteBuffer bytes =
        ByteBuffer.allocate(values * width)
            .order(type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
    for (double[] row : rows) {
      for (double value : row) {
        put(bytes, type.substring(1), value);
      }
    }
    Path file = folder.resolve(name + ".npy");
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
      out.write(new byte[] {(byte) header.length(), (byte) (header.length() >> 8)});
      out.write(header.getBytes(StandardCharsets.US_ASCII));
      out.write(bytes.array());
    }
    return file;
  }

  private static void put(ByteBuffer bytes, String type, double value) {
    switch (type) {
      case "f2" -> bytes.putShort(half(value));
      case "f4" -> bytes.putFloat((float) value);
      case "f8" -> bytes.putDouble(value);
      default -> throw new AssertionError(type);
    }
  }

  /** Converts a value that is exact in half precision. */
  private static short half(double value) {
    if (value == 0) {
      return 0;
    }
    int exponent = Math.getExponent(value);
    int mantissa = (int) ((Math.abs(value) / Math.pow(2, exponent) - 1) * 1024);
    return (short) ((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | mantissa);
  }

  Path poolFile() {
    return poolFile;
  }

  Path probabilityFile() {
    return probabilityFile;
  }

  Path dropoutFile() {
    return dropoutFile;
  }

  int[] labelled() {
    return labelled;
  }

  int[] labels() {
    return labels;
  }

  int budget() {
    return budget;
  }

  int cap() {
    return cap;
  }

  int classes() {
    return classes;
  }

  LinearHead head() {
    return head;
  }

  private double[] logits(double[] z) {
    double[] logits = new double[classes];
    for (int k = 0; k < classes; k++) {
      logits[k] = head.bias()[k];
      for (int d = 0; d < features; d++) {
        logits[k] += head.weights().get(k, d) * z[d];
      }
    }
    return logits;
  }

  /** Returns a bound: the rounding unit times the number of terms times the sum of magnitudes. */
  private double logitError(double[] z) {
    double most = 0;
    for (int k = 0; k < classes; k++) {
      double size = Math.abs(head.bias()[k]);
      for (int d = 0; d < features; d++) {
        size += Math.abs(head.weights().get(k, d) * z[d]);
      }
      most = Math.max(most, size);
    }
    return (features + 4) * ROUNDING * most;
  }

  /** Returns whether the predicted class, which the cap per class uses, is certain. */
  boolean isSure(int row) {
    double[] p = probabilities[row].clone();
    Arrays.sort(p);
    return cap == Integer.MAX_VALUE || p[classes - 1] - p[classes - 2] > 1e-5 + 4 * logitError[row];
  }

  int predicted(int row) {
    return argmax(probabilities[row]);
  }

  /** Returns the score of an item, which may depend on the picks so far. */
  double score(int row, List<Integer> picked) {
    double[] p = probabilities[row];
    return switch (strategy) {
      case "entropy" -> entropy(p);
      case "least-confidence" -> 1 - p[argmax(p)];
      case "margin" -> {
        double[] sorted = p.clone();
        Arrays.sort(sorted);
        yield sorted[classes - 1] - sorted[classes - 2];
      }
      case "bald" -> {
        double[] mean = new double[classes];
        double entropies = 0;
        for (double[][] draw : dropout) {
          for (int k = 0; k < classes; k++) {
            mean[k] += draw[row][k] / dropout.length;
          }
          entropies += entropy(draw[row]) / dropout.length;
        }
        yield entropy(mean) - entropies;
      }
      case "coreset", "cdal" ->
          IntStream.concat(IntStream.of(labelled), picked.stream().mapToInt(i -> i))
              .mapToDouble(other -> dissimilarity(row, other))
              .min()
              .orElse(Double.POSITIVE_INFINITY);
      default -> throw new AssertionError(strategy);
    };
  }

  /** Returns the tolerance for the engine's score. */
  double error(int row, double score) {
    double ofLogits = Arrays.stream(logitError).max().orElseThrow();
    return switch (strategy) {
      case "coreset" -> 1e-5 * score + 1e-12;
      case "cdal" -> 2e-6 + 4 * ofLogits;
      default -> 2e-5 + 4 * logitError[row] * (1 + Math.log(classes));
    };
  }

  private double dissimilarity(int i, int j) {
    double sum = 0;
    if (strategy.equals("coreset")) {
      for (int d = 0; d < features; d++) {
        sum += (pool[i][d] - pool[j][d]) * (pool[i][d] - pool[j][d]);
      }
      return Math.sqrt(sum);
    }
    double[] a = softmax(probabilities[i]);
    double[] b = softmax(probabilities[j]);
    for (int k = 0; k < classes; k++) {
      sum += 0.5 * (a[k] - b[k]) * (Math.log(a[k]) - Math.log(b[k]));
    }
    return sum;
  }

  /**
   * Mixes an item explicitly with every anchor at a cap. The anchor of a class without labels is
   * the mean of all labelled items.
   */
  Verdict flips(int row, double cap) {
    double[] z = pool[row];
    double[] logits = logits(z);
    int y = argmax(logits);
    FloatMatrix rows = FloatMatrix.zeros(labelled.length, features);
    for (int i = 0; i < labelled.length; i++) {
      for (int d = 0; d < features; d++) {
        rows.set(i, d, (float) pool[labelled[i]][d]);
      }
    }
    FloatMatrix anchors = Anchors.classMeans(rows, labels, classes);
    double[] direction = direction(logits, y);
    Verdict verdict = Verdict.STAYS;
    for (int k = 0; k < classes; k++) {
      double length = 0;
      for (int d = 0; d < features; d++) {
        length += Math.pow(anchors.get(k, d) - z[d], 2);
      }
      double step = cap * Math.sqrt(length) / Math.sqrt(features);
      double[] mixed = z.clone();
      double largest = 0;
      for (int d = 0; d < features; d++) {
        mixed[d] += anchors.get(k, d) == (float) z[d] ? 0 : step * direction[d];
      }
      double[] after = logits(mixed);
      double margin = Double.NEGATIVE_INFINITY;
      for (int j = 0; j < classes; j++) {
        if (j != y) {
          margin = Math.max(margin, after[j] - after[y]);
          largest = Math.max(largest, Math.abs(after[j] - after[y] - (logits[j] - logits[y])));
        }
      }
      double open = 8 * logitError(z) + 1e-3 * largest + 1e-9;
      double unclear = logits[y] - secondLargest(logits, y);
      if (Math.abs(margin) <= open || unclear <= 8 * logitError(z)) {
        verdict = verdict == Verdict.FLIPS ? verdict : Verdict.UNDECIDED;
      } else if (margin > 0) {
        verdict = Verdict.FLIPS;
      }
    }
    return verdict;
  }

  private static double secondLargest(double[] logits, int y) {
    return IntStream.range(0, logits.length)
        .filter(j -> j != y)
        .mapToDouble(j -> logits[j])
        .max()
        .orElseThrow();
  }

  /** Returns the normalized gradient of the loss with the predicted class as the label. */
  private double[] direction(double[] logits, int y) {
    double[] others = logits.clone();
    others[y] = Double.NEGATIVE_INFINITY;
    double[] q = softmax(others);
    q[y] = -1;
    double[] gradient = new double[features];
    for (int d = 0; d < features; d++) {
      for (int k = 0; k < classes; k++) {
        gradient[d] += q[k] * head.weights().get(k, d);
      }
    }
    double norm = Math.sqrt(Arrays.stream(gradient).map(g -> g * g).sum());
    return Arrays.stream(gradient).map(g -> norm == 0 ? 0 : g / norm).toArray();
  }

  private static double[] softmax(double[] x) {
    double most = Arrays.stream(x).max().orElseThrow();
    double sum = Arrays.stream(x).map(value -> Math.exp(value - most)).sum();
    return Arrays.stream(x).map(value -> Math.exp(value - most) / sum).toArray();
  }

  private static double entropy(double[] p) {
    return Arrays.stream(p).map(value -> value == 0 ? 0 : -value * Math.log(value)).sum();
  }

  private static int argmax(double[] x) {
    int best = 0;
    for (int k = 1; k < x.length; k++) {
      best = x[k] > x[best] ? k : best;
    }
    return best;
  }

  @Override
  public String toString() {
    return "%d items of %d features (%s), %d classes, offset %s, scale %s, %d labelled, budget %d, cap %d"
        .formatted(items, features, type, classes, offset, scale, labelled.length, budget, cap);
  }
}
