package org.alfamix.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CodePointsTest {

  /** The result of {@code sorted(["😀", "Ａ", "b", "a", "ab", ""])} in Python. */
  @Test
  void sortsEmojiAfterFullWidthLetters() {
    List<String> sorted =
        Stream.of("😀", "Ａ", "b", "a", "ab", "").sorted(CodePoints.ORDER).toList();
    assertEquals(List.of("", "a", "ab", "b", "Ａ", "😀"), sorted);
  }

  @Test
  void matchesTheOrderOfUtf8Bytes() {
    SplittableRandom random = new SplittableRandom(1);
    int[] some = {'a', 'b', 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x1f600, 0x10ffff};
    for (int i = 0; i < 20_000; i++) {
      String a = text(some, random);
      String b = text(some, random);
      int expected =
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
      assertEquals(
          Integer.signum(expected), Integer.signum(CodePoints.ORDER.compare(a, b)), a + " " + b);
    }
    assertTrue("😀".compareTo("Ａ") < 0, "the order of String.compareTo differs");
  }

  private static String text(int[] letters, SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }
}
