package org.alfamix.lab.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.NumericArray;
import org.junit.jupiter.api.Test;

/** Compares shares of rounds won with those of a direct implementation in double precision. */
class VictoriesGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/victories");

  /** Reads the values of an array of doubles, which {@link Npy} would round to floats. */
  private static double[] doubles(String name) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(GOLDEN.resolve(name)));
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(10 + bytes.getShort(8));
    double[] values = new double[bytes.remaining() / Double.BYTES];
    bytes.asDoubleBuffer().get(values);
    return values;
  }

  @Test
  void sharesMatchTheGoldenValues() throws IOException {
    NumericArray accuracy = Npy.open(GOLDEN.resolve("accuracy.npy"));
    int methods = (int) accuracy.shape()[0];
    int seeds = (int) accuracy.shape()[1];
    int rounds = (int) accuracy.shape()[2];
    double[] flat = doubles("accuracy.npy");
    double[][][] values = new double[methods][seeds][rounds];
    for (int at = 0; at < flat.length; at++) {
      values[at / (seeds * rounds)][at / rounds % seeds][at % rounds] = flat[at];
    }
    double[][] shares = Victories.shares(values, Victories.THRESHOLD);
    double[] expected = doubles("victories.npy");
    assertEquals(methods * methods, expected.length);
    for (int at = 0; at < expected.length; at++) {
      assertEquals(expected[at], shares[at / methods][at % methods], 1e-12);
    }
  }
}
