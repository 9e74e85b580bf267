package org.alfamix.studio.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.TextInputs;
import org.alfamix.learn.embed.BackboneDatasetReader;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.learn.embed.TextModel;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordImportanceTest {
  @TempDir private Path folder;

  /** Says that a text is of class 1 if it contains the word. */
  private static FloatMatrix contains(List<String> texts, String word) {
    FloatMatrix probabilities = FloatMatrix.zeros(texts.size(), 2);
    for (int i = 0; i < texts.size(); i++) {
      float p = texts.get(i).contains(word) ? 0.9f : 0.3f;
      probabilities.set(i, 0, 1 - p);
      probabilities.set(i, 1, p);
    }
    return probabilities;
  }

  private static List<String> important(String text, String word) {
    WordImportance.Words found = new WordImportance(texts -> contains(texts, word)).of(text);
    return found.words().stream().map(w -> text.substring(w.start(), w.end())).toList();
  }

  @Test
  void findsTheWordThatDecides() {
    assertEquals(List.of("refund"), important("please, refund it!", "refund"));
    assertEquals(List.of("退款"), important("请 退款 。", "退款"));
    assertEquals(List.of("возврат"), important("нужен возврат денег", "возврат"));
    assertEquals(List.of(), important("please, refund it!", "printer"));
    assertEquals(List.of(), important("", "printer"));
    assertEquals(List.of(), important(" … !", "printer"));
  }

  @Test
  void findsTheWordInALongText() {
    String text = "word ".repeat(300) + "refund" + " word".repeat(5_000);
    List<Integer> sizes = new ArrayList<>();
    WordImportance.Words found =
        new WordImportance(
                texts -> {
                  sizes.add(texts.size());
                  return contains(texts, "refund");
                })
            .of(text);

    assertTrue(sizes.stream().allMatch(size -> size <= 49), "texts: " + sizes);
    assertEquals(
        List.of("refund"),
        found.words().stream().map(w -> text.substring(w.start(), w.end())).toList());
  }

  /** On real texts, with a model that is trained on some of them. */
  @ParameterizedTest
  @ValueSource(strings = {"ngrams", "minilm"})
  void deletingHighlightedWordsLowersTheProbabilityMost(String features) {
    Dataset data = Datasets.open("banking77", folder);
    int[] few = IntStream.range(0, 600).map(i -> i * 16).toArray();
    Dataset.Part part = data.pool().subset(few);
    List<String> texts = IntStream.range(0, 600).mapToObj(part.inputs()::text).toList();
    try (TextModel model =
        new TextFeatures(folder, features, EncoderOptions.DEFAULT)
            .open(new TextInputs(texts, null), BackboneDatasetReader.Listener.SILENT)) {
      FixedModel trained = new FixedModel(model.pool());
      trained.learn(
          IntStream.range(0, 500).toArray(),
          IntStream.range(0, 500).map(i -> part.labels()[i]).toArray(),
          data.classNames());
      WordImportance importance =
          new WordImportance(each -> trained.probabilities(model.of(each)).orElseThrow());
      Random random = new Random(1);
      double highlighted = 0;
      double others = 0;
      int compared = 0;
      for (String text : texts.subList(500, 600)) {
        WordImportance.Words words = importance.of(text);
        List<WordImportance.Span> rest = new ArrayList<>(WordImportance.words(text));
        rest.removeAll(words.words());
        if (words.words().isEmpty() || rest.size() < words.words().size()) {
          continue;
        }
        List<WordImportance.Span> drawn = new ArrayList<>(rest);
        java.util.Collections.shuffle(drawn, random);
        List<WordImportance.Span> same =
            rest.stream().filter(drawn.subList(0, words.words().size())::contains).toList();
        FloatMatrix p =
            trained
                .probabilities(
                    model.of(
                        List.of(
                            text,
                            WordImportance.without(text, words.words()),
                            WordImportance.without(text, same))))
                .orElseThrow();
        highlighted += p.get(0, words.predicted()) - p.get(1, words.predicted());
        others += p.get(0, words.predicted()) - p.get(2, words.predicted());
        compared++;
      }
      assertTrue(compared >= 80, "compared: " + compared);
      assertTrue(
          highlighted > 3 * Math.max(0, others),
          Map.of("highlighted", highlighted / compared, "others", others / compared).toString());
    }
  }
}
