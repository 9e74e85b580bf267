package org.alfamix.io.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the results with those of {@link Float#parseFloat}. */
class DecimalFloatTest {

  private static void assertSame(String text) {
    assertEquals(
        Float.floatToRawIntBits(Float.parseFloat(text)),
        Float.floatToRawIntBits(
            DecimalFloat.parse(("x" + text + "y").toCharArray(), 1, text.length() + 1)),
        text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "-0.0",
        "+1",
        "1.",
        ".5",
        "1e5",
        "1E-5",
        "1e+5",
        "3.4028235e38",
        "3.4028236e38",
        "1e39",
        "-1e99",
        "1.17549435E-38",
        "1e-40",
        "1.4e-45",
        "1e-50",
        "9007199254740993",
        "123456789012345678901234567890",
        "0.000000000000000000000000000001",
        "16777217",
        "16777217.0000000001",
        "1.00000005960464477539062",
        "1.00000005960464477539063",
        "NaN",
        "Infinity",
        "-Infinity",
        "1e22",
        "1e23",
        "0.1",
        "0.30000001192092896",
        "1e0000000000005"
      })
  void parsesUnusualNumbers(String text) {
    assertSame(text);
  }

  @Test
  void parsesRandomFloatsInEveryNotation() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 200_000; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      assertSame(Float.toString(value));
      float typical = (float) random.nextGaussian();
      assertSame(Float.toString(typical));
      assertSame(Double.toString(typical));
      // The midpoint of two floats and its neighbouring doubles.
      double midpoint = (typical + (double) Math.nextUp(typical)) / 2;
      assertSame(Double.toString(midpoint));
      assertSame(Double.toString(Math.nextUp(midpoint)));
      assertSame(Double.toString(Math.nextDown(midpoint)));
      assertSame(String.format(Locale.ROOT, "%.6f", typical));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1x", "0x10p", "1,2", "1d", "2f"
      })
  void rejectsInvalidNumbers(String text) {
    assertThrows(
        NumberFormatException.class,
        () -> DecimalFloat.parse(text.toCharArray(), 0, text.length()));
  }
}
