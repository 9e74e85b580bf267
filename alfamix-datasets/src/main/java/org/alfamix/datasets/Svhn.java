package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;

/** Reads SVHN in its published form: one array of images and one of labels per file. */
public final class Svhn {
  private static final InputShape SHAPE = InputShape.image(3, 32, 32);
  private static final int SIDE = 32;
  private static final int CHANNELS = 3;
  private static final int DIGITS = 10;

  static final Scaling SCALING =
      Scaling.pixels(new double[] {0.4377, 0.4438, 0.4728}, new double[] {0.1980, 0.2010, 0.1970});

  private Svhn() {}

  /**
   * Reads both files.
   *
   * @param pool size of the pool, a fixed random sample of the training images; all of them if
   *     there are fewer
   */
  public static Dataset read(Path train, Path test, int pool) {
    List<String> names = IntStream.range(0, DIGITS).mapToObj(Integer::toString).toList();
    Dataset all = new Dataset("svhn", names, part(train), part(test), SCALING);
    return all.pool().size() > pool ? all.withPool(pool) : all;
  }

  private static Part part(Path file) {
    Map<String, MatFile.Array> arrays = MatFile.read(file);
    MatFile.Array images = arrays.get("X");
    MatFile.Array labels = arrays.get("y");
    if (images == null || labels == null) {
      throw new DataException(
          "%s: expected the arrays X and y, found %s."
              .formatted(file, arrays.isEmpty() ? "none" : String.join(", ", arrays.keySet())));
    }
    int[] shape = images.shape();
    // MATLAB drops the last dimension of a single image.
    int count = shape.length == 4 ? shape[3] : 1;
    if (!images.isBytes()
        || shape.length < 3
        || shape[0] != SIDE
        || shape[1] != SIDE
        || shape[2] != CHANNELS
        || labels.size() != count) {
      throw new DataException(
          "%s: X is %s and y has %d values, expected 32 x 32 x 3 x N bytes and N labels."
              .formatted(
                  file,
                  String.join(" x ", IntStream.of(shape).mapToObj(Integer::toString).toList()),
                  labels.size()));
    }
    return new Part(new ByteInputs(SHAPE, toRowMajor(images.bytes(), count)), labels(file, labels));
  }

  /** Converts images from the column-major order of MATLAB to row-major order. */
  private static byte[] toRowMajor(byte[] columns, int count) {
    byte[] rows = new byte[columns.length];
    int at = 0;
    for (int plane = 0; plane < CHANNELS * count; plane++) {
      int start = plane * SIDE * SIDE;
      for (int x = 0; x < SIDE; x++) {
        for (int y = 0; y < SIDE; y++) {
          rows[start + y * SIDE + x] = columns[at++];
        }
      }
    }
    return rows;
  }

  /** Reads labels from 1 to 10; MATLAB counts from 1, so that 10 stands for the digit 0. */
  private static int[] labels(Path file, MatFile.Array array) {
    int[] labels = new int[array.size()];
    for (int i = 0; i < labels.length; i++) {
      double label = array.value(i);
      if (label != Math.rint(label) || label < 1 || label > DIGITS) {
        throw new DataException(
            "%s, image %d: label %s, expected 1 to 10.".formatted(file, i, label));
      }
      labels[i] = (int) label % DIGITS;
    }
    return labels;
  }
}
