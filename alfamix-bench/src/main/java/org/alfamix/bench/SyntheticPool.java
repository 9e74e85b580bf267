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
import org.alfamix.datasets.OverlappingClasses;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.mix.Anchors;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * Synthetic pools: {@link OverlappingClasses} with a head that resembles a fitted one. Any prefix
 * of a pool is the pool of that size.
 */
final class SyntheticPool {
  private SyntheticPool() {}

  /** The number of rows of one stream of random numbers. */
  private static final int BLOCK = 1024;

  private static final long LABELLED = 1;
  private static final long UNLABELLED = 2;

  static Snapshot of(int size, int features, int classes) {
    OverlappingClasses items = new OverlappingClasses(features, classes);
    int[] labels = new int[labelledSize(classes)];
    FloatMatrix labelled = sample(items, labels.length, LABELLED, labels);
    return Snapshot.of(sample(items, size, UNLABELLED, new int[size]))
        .labelled(labelled, labels)
        .head(head(Anchors.classMeans(labelled, labels, classes)))
        .build();
  }

  private static int labelledSize(int classes) {
    return Math.max(100, 10 * classes);
  }

  /**
   * Writes a pool as input for {@code select}: a folder {@code pool} with the unlabelled and then
   * the labelled items, {@code labels.npy}, {@code weight.npy} and {@code bias.npy}. Items are
   * written in blocks, so that the pool may be larger than the memory.
   */
  static void write(Path folder, int size, int features, int classes) throws IOException {
    OverlappingClasses items = new OverlappingClasses(features, classes);
    int[] labels = new int[labelledSize(classes)];
    FloatMatrix labelled = sample(items, labels.length, LABELLED, labels);
    LinearHead head = head(Anchors.classMeans(labelled, labels, classes));
    Files.createDirectories(folder.resolve("pool"));
    try (OutputStream out = stream(folder.resolve("pool/0-unlabelled.npy"))) {
      Npy.writeHeader(out, "<f4", size + ", " + features);
      int step = 64 * BLOCK;
      for (int from = 0; from < size; from += step) {
        int count = Math.min(step, size - from);
        writeRows(out, sampleFrom(items, from, count, UNLABELLED, new int[count]));
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

  private static FloatMatrix sample(OverlappingClasses items, int size, long stream, int[] labels) {
    return sampleFrom(items, 0, size, stream, labels);
  }

  /** Returns the items from {@code first} on, which is a multiple of the block. */
  private static FloatMatrix sampleFrom(
      OverlappingClasses items, int first, int size, long stream, int[] labels) {
    FloatMatrix rows = FloatMatrix.zeros(size, items.features());
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> {
          SplittableRandom random = new SplittableRandom(stream * 1_000_003 + first + from);
          for (int i = from; i < to; i++) {
            labels[i] = items.draw(random, rows.array(), rows.rowOffset(i));
          }
        });
    return rows;
  }

  /** Returns a linear head for the nearest centred class mean, with logits of realistic size. */
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
