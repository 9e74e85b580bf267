package org.alfamix.learn.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.alfamix.datasets.TextInputs;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;

class NgramFeaturesTest {
  private static TextInputs texts(String... texts) {
    return new TextInputs(List.of(texts), null);
  }

  private static double similarity(FloatMatrix rows, int i, int j) {
    return Kernels.dot(rows.row(i), rows.row(j));
  }

  @Test
  void similarTextsHaveSimilarFeatures() {
    TextInputs pool =
        texts(
            "my card has not arrived",
            "the card still hasn't arrived",
            "when will my new card arrive?",
            "how do I change my PIN",
            "changing the PIN of the card",
            "exchange rate for dollars");
    FloatMatrix rows = NgramFeatures.fit(pool).of(pool);
    assertTrue(similarity(rows, 0, 1) > similarity(rows, 0, 3));
    assertTrue(similarity(rows, 3, 4) > similarity(rows, 3, 5));
    for (int i = 0; i < pool.size(); i++) {
      assertEquals(1, similarity(rows, i, i), 1e-5);
    }
  }

  @Test
  void caseWidthAndPunctuationOfUnicodeDoNotMatter() {
    assertArrayEquals(
        NgramFeatures.count("Straße ＡＢＣ").buckets(), NgramFeatures.count("straße abc").buckets());
    assertNotEquals(
        NgramFeatures.count("a b").buckets().length, NgramFeatures.count("b").buckets().length);
    assertTrue(NgramFeatures.count("مرحبا بالعالم 😀 こんにちは").buckets().length > 10);
    assertEquals(0, NgramFeatures.count("").buckets().length);
    assertEquals(0, NgramFeatures.count(" \u0000\n\t").buckets().length);
  }

  @Test
  void textsWithoutKnownNgramsHaveZeros() {
    NgramFeatures fitted = NgramFeatures.fit(texts("one two", "two three", "three four"));
    FloatMatrix rows = fitted.of(texts("", "ωμέγα", "one"));
    for (int d = 0; d < rows.columns(); d++) {
      assertEquals(0, rows.get(0, d));
      assertEquals(0, rows.get(1, d));
    }
    assertEquals(1, Kernels.squaredNorm(rows, 2), 1e-5);
  }

  @Test
  void emptyAndEqualTextsAreAllowed() {
    for (TextInputs pool : List.of(texts("", "a", ""), texts("same", "same"), texts("only"))) {
      FloatMatrix rows = NgramFeatures.fit(pool).of(pool);
      assertEquals(pool.size(), rows.rows());
      for (float value : rows.array()) {
        assertTrue(Float.isFinite(value));
      }
    }
  }

  @Test
  void textsWithoutAnyWordAreRejected() {
    DataException error =
        assertThrows(DataException.class, () -> NgramFeatures.fit(texts("", " \u00a0", "\n")));
    assertEquals(
        "no word or symbol occurs in the texts, so they have no features.", error.getMessage());
  }

  @Test
  void longTextsAreProcessed() {
    String text = "word ".repeat(200_000);
    FloatMatrix rows = NgramFeatures.fit(texts(text, "another text")).of(texts(text));
    assertEquals(1, Kernels.squaredNorm(rows, 0), 1e-5);
  }

  @Test
  void featuresDoNotDependOnTheNumberOfThreads() {
    Random random = new Random(1);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = 0; w < 6; w++) {
        text.append("w").append(random.nextInt(80)).append(' ');
      }
      texts.add(text.toString());
    }
    TextInputs pool = new TextInputs(texts, null);
    float[] one = Parallel.with(1, () -> NgramFeatures.fit(pool).of(pool)).array();
    float[] eight = Parallel.with(8, () -> NgramFeatures.fit(pool).of(pool)).array();
    assertArrayEquals(one, eight);
  }
}
