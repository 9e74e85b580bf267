package org.alfamix.dataset;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.alfamix.math.RandomIndices;

/**
 * Tells which clips were cut out of the same source video, and splits clips so that those never end
 * up on both sides: they look so much alike that testing on one after training on another would
 * flatter every model.
 */
final class SourceVideos {
  /**
   * A last number, after a name that has another digit before it: {@code film_np1_3} is clip 3 of
   * {@code film_np1}, and {@code v_Archery_g02_c05} is clip 5 of {@code v_Archery_g02}, but {@code
   * IMG_0001} is a video of its own.
   */
  private static final Pattern USUAL =
      Pattern.compile("(.*\\d.*?)[_-](?:c|clip|part|scene|shot|seg)?[_-]?\\d+");

  private final Pattern pattern;

  private SourceVideos(Pattern pattern) {
    this.pattern = pattern;
  }

  static SourceVideos usual() {
    return new SourceVideos(USUAL);
  }

  /**
   * @param regex its first group is the source of a clip, given the clip's name without ending
   * @throws IllegalArgumentException where it is no such expression
   */
  static SourceVideos by(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      if (pattern.matcher("").groupCount() < 1) {
        throw new IllegalArgumentException(
            "source-pattern is '%s', expected a group in parentheses: the source of a clip."
                .formatted(regex));
      }
      return new SourceVideos(pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "source-pattern is '%s', which is not a regular expression: %s."
              .formatted(regex, e.getDescription()),
          e);
    }
  }

  /** Returns the source of a clip: its folder, and its name without what tells clips apart. */
  String of(String path) {
    int slash = path.lastIndexOf('/');
    String file = path.substring(slash + 1).replaceFirst("\\.[^.]*$", "");
    Matcher matcher = pattern.matcher(file);
    return path.substring(0, slash + 1) + (matcher.matches() ? matcher.group(1) : file);
  }

  /**
   * Chooses test items, class by class: sources in a random order, until the class has its share.
   *
   * @param labels the class of each clip; {@link Dataset#UNLABELLED} ones stay in the pool, with
   *     all clips of their source
   * @param share of each class
   * @return for each clip whether it is a test item
   */
  boolean[] test(List<String> paths, int[] labels, double share, long seed) {
    Map<Integer, Map<String, List<Integer>>> classes = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      classes
          .computeIfAbsent(labels[i], k -> new LinkedHashMap<>())
          .computeIfAbsent(of(paths.get(i)), source -> new ArrayList<>())
          .add(i);
    }
    boolean[] test = new boolean[labels.length];
    classes.forEach(
        (label, sources) -> {
          if (label != Dataset.UNLABELLED) {
            choose(List.copyOf(sources.values()), share, new SplittableRandom(seed + label), test);
          }
        });
    return test;
  }

  /** A source is taken where that brings the class nearer to its share; one always stays. */
  private static void choose(
      List<List<Integer>> sources, double share, SplittableRandom random, boolean[] test) {
    int all = sources.stream().mapToInt(List::size).sum();
    double wanted = share * all;
    int taken = 0;
    int left = sources.size();
    int[] order = RandomIndices.distinct(sources.size(), sources.size(), random);
    for (int source : order) {
      int size = sources.get(source).size();
      boolean nearer = Math.abs(taken + size - wanted) < Math.abs(taken - wanted);
      if (nearer && left > 1) {
        sources.get(source).forEach(item -> test[item] = true);
        taken += size;
        left--;
      }
    }
  }

  /** Returns the places of clips that are test items, or those that are not. */
  static int[] places(boolean[] test, boolean wanted) {
    int[] places = new int[test.length];
    int count = 0;
    for (int i = 0; i < test.length; i++) {
      if (test[i] == wanted) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }
}
