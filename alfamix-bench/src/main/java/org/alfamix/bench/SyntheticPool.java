package org.alfamix.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.data.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.mix.Anchors;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * Overlapping classes after a ReLU under a head that looks fitted; six to ten per cent of the items
 * flip at the first cap, as on MNIST. Any prefix of a pool is the pool of that size.
 */
final class SyntheticPool {
  private SyntheticPool() {}

  /** Rows of one stream of random numbers. */
  private static final int BLOCK = 1024;

  private static final long LABELLED = 1;
  private static final long UNLABELLED = 2;

  static Snapshot of(int size, int features, int classes) {
    float[][] means = means(features, classes);
    int[] labels = new int[labelledSize(classes)];
    FloatMatrix labelled = draw(means, labels.length, LABELLED, labels);
    return Snapshot.of(draw(means, size, UNLABELLED, new int[size]))
        .labelled(labelled, labels)
        .head(head(Anchors.classMeans(labelled, labels, classes)))
        .build();
  }

  private static int labelledSize(int classes) {
    return Math.max(100, 10 * classes);
  }

  /**
   * Writes such a pool as {@code select} reads it: a folder {@code pool} with the unlabelled items
   * and then the labelled ones, {@code labels.npy}, {@code weight.npy} and {@code bias.npy}. The
   * items go to the file block by block, so that the pool may be larger than the memory.
   */
  static void write(Path folder, int size, int features, int classes) throws IOException {
    float[][] means = means(features, classes);
    int[] labels = new int[labelledSize(classes)];
    FloatMatrix labelled = draw(means, labels.length, LABELLED, labels);
    LinearHead head = head(Anchors.classMeans(labelled, labels, classes));
    Files.createDirectories(folder.resolve("pool"));
    try (OutputStream out = stream(folder.resolve("pool/0-unlabelled.npy"))) {
      Npy.writeHeader(out, "<f4", size + ", " + features);
      int step = 64 * BLOCK;
      for (int from = 0; from < size; from += step) {
        int count = Math.min(step, size - from);
        writeRows(out, drawFrom(means, from, count, UNLABELLED, new int[count]));
      }
    }
    try (OutputStream out = stream(folder.resolve("pool/1-labelled.npy"))) {
      Npy.write(out, labelled);
    }
    long[] all = new long[size + labels.length];
    Arrays.fill(all, -1);
    for (int i = 0; i < labels.length; i++) {
      all[size + i] = labels[i];
    }
    try (OutputStream out = stream(folder.resolve("labels.npy"))) {
      Npy.write(out, all);
    }
    try (OutputStream out = stream(folder.resolve("weight.npy"))) {
      Npy.write(out, head.weights());
    }
    try (OutputStream out = stream(folder.resolve("bias.npy"))) {
      Npy.write(out, head.bias());
    }
  }

  private static OutputStream stream(Path file) throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
  }

  private static void writeRows(OutputStream out, FloatMatrix rows) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * rows.columns()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows.rows(); i++) {
      bytes.asFloatBuffer().put(rows.array(), rows.rowOffset(i), rows.columns());
      out.write(bytes.array());
    }
  }

  private static float[][] means(int features, int classes) {
    double spread = (4 + 2 * Math.log10(classes)) / Math.sqrt(features);
    SplittableRandom random = new SplittableRandom(7);
    float[][] means = new float[classes][features];
    for (int d = 0; d < features; d++) {
      double common = 0.3 + random.nextGaussian();
      for (int k = 0; k < classes; k++) {
        means[k][d] = (float) (common + spread * random.nextGaussian());
      }
    }
    return means;
  }

  private static FloatMatrix draw(float[][] means, int size, long stream, int[] labels) {
    return drawFrom(means, 0, size, stream, labels);
  }

  /** The items from {@code first} on, a multiple of the block. */
  private static FloatMatrix drawFrom(
      float[][] means, int first, int size, long stream, int[] labels) {
    int features = means[0].length;
    FloatMatrix rows = FloatMatrix.zeros(size, features);
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> {
          SplittableRandom random = new SplittableRandom(stream * 1_000_003 + first + from);
          for (int i = from; i < to; i++) {
            labels[i] = random.nextInt(means.length);
            for (int d = 0; d < features; d++) {
              double value = means[labels[i]][d] + random.nextGaussian();
              rows.set(i, d, (float) Math.max(0, value));
            }
          }
        });
    return rows;
  }

  /** Nearest centred class mean as a linear head, with logits of a trained network's size. */
  private static LinearHead head(FloatMatrix centres) {
    int classes = centres.rows();
    int features = centres.columns();
    double[] mean = new double[features];
    for (int k = 0; k < classes; k++) {
      for (int d = 0; d < features; d++) {
        mean[d] += centres.get(k, d) / classes;
      }
    }
    double[] norms = new double[classes];
    double total = 0;
    for (int k = 0; k < classes; k++) {
      for (int d = 0; d < features; d++) {
        norms[k] += Math.pow(centres.get(k, d) - mean[d], 2);
      }
      total += norms[k] / classes;
    }
    FloatMatrix weights = FloatMatrix.zeros(classes, features);
    float[] bias = new float[classes];
    for (int k = 0; k < classes; k++) {
      double factor = 4 / Math.sqrt(norms[k] * total);
      double offset = 0;
      for (int d = 0; d < features; d++) {
        double weight = factor * (centres.get(k, d) - mean[d]);
        weights.set(k, d, (float) weight);
        offset -= weight * (centres.get(k, d) + mean[d]) / 2;
      }
      bias[k] = (float) offset;
    }
    return new LinearHead(weights, bias);
  }
}
