package org.alfamix.studio.engine;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;

/**
 * Finds the words of a text that speak for its predicted class: those without which the class is
 * less probable (occlusion). In long texts, groups of neighbouring words are left out first, and
 * then the words of the most important groups.
 *
 * <p>M. D. Zeiler, R. Fergus, "Visualizing and understanding convolutional networks", ECCV 2014.
 *
 * @param probabilities returns the probabilities of the classes, one row per text
 */
record WordImportance(Function<List<String>, FloatMatrix> probabilities) {
  /** The largest number of texts that are classified for one text. */
  private static final int MAX_GROUPS = 48;

  /** Words with less than this share of the largest effect are not important. */
  private static final double LEAST_SHARE = 0.25;

  /** The least effect on the probability. */
  private static final double LEAST_EFFECT = 0.01;

  /** Only the beginning of a long text is examined; encoders do not see much more. */
  private static final int MAX_LENGTH = 3_000;

  /** At most one in this many words is important, but up to {@link #FEW}. */
  private static final int SHARE = 4;

  private static final int FEW = 3;

  /** Part of a text: from its first character to that after its last one. */
  record Span(int start, int end) {}

  /**
   * The words that speak for a class.
   *
   * @param predicted the place of the class
   * @param words in the order of the text
   */
  record Words(int predicted, List<Span> words) {}

  Words of(String text) {
    String beginning = text.substring(0, Math.min(text.length(), MAX_LENGTH));
    List<Span> words = words(beginning);
    int size = Math.max(1, (words.size() + MAX_GROUPS - 1) / MAX_GROUPS);
    Words found = important(text, groups(words, size), Math.max(FEW, words.size() / SHARE));
    if (size == 1 || found.words().isEmpty()) {
      return found;
    }
    // The words of the most important groups, one by one.
    List<Span> within =
        words.stream()
            .filter(
                word ->
                    found.words().stream()
                        .limit(Math.max(1, MAX_GROUPS / size))
                        .anyMatch(
                            group -> word.start() >= group.start() && word.end() <= group.end()))
            .toList();
    return important(text, within, MAX_GROUPS / SHARE);
  }

  /** Returns those parts of a text without which its predicted class is less probable. */
  private Words important(String text, List<Span> parts, int most) {
    List<String> texts = new ArrayList<>();
    texts.add(text);
    parts.forEach(part -> texts.add(without(text, List.of(part))));
    FloatMatrix all = probabilities.apply(texts);
    int predicted = Kernels.argmax(all.array(), all.rowOffset(0), all.columns());
    double[] effects =
        IntStream.range(0, parts.size())
            .mapToDouble(g -> all.get(0, predicted) - all.get(g + 1, predicted))
            .toArray();
    double largest = Arrays.stream(effects).max().orElse(0);
    double least = Math.max(LEAST_EFFECT, LEAST_SHARE * largest);
    List<Span> important =
        IntStream.range(0, parts.size())
            .filter(g -> effects[g] >= least)
            .boxed()
            .sorted(Comparator.comparingDouble(g -> -effects[g]))
            .limit(most)
            .sorted()
            .map(parts::get)
            .toList();
    return new Words(predicted, important);
  }

  /** Returns the words of a text, in any script. */
  static List<Span> words(String text) {
    BreakIterator iterator = BreakIterator.getWordInstance(Locale.ROOT);
    iterator.setText(text);
    List<Span> words = new ArrayList<>();
    int start = iterator.first();
    for (int end = iterator.next(); end != BreakIterator.DONE; end = iterator.next()) {
      if (text.substring(start, end).codePoints().anyMatch(Character::isLetterOrDigit)) {
        words.add(new Span(start, end));
      }
      start = end;
    }
    return words;
  }

  private static List<Span> groups(List<Span> words, int size) {
    List<Span> groups = new ArrayList<>();
    for (int from = 0; from < words.size(); from += size) {
      int last = Math.min(words.size(), from + size) - 1;
      groups.add(new Span(words.get(from).start(), words.get(last).end()));
    }
    return groups;
  }

  /** Returns a text without parts of it, given in its order. */
  static String without(String text, List<Span> parts) {
    StringBuilder rest = new StringBuilder();
    int at = 0;
    for (Span part : parts) {
      rest.append(text, at, part.start());
      at = part.end();
    }
    return rest.append(text, at, text.length()).toString();
  }
}
