package org.alfamix.datasets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.Seeds;

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
   * @throws InvalidRequestException where it is no such expression
   */
  static SourceVideos by(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      if (pattern.matcher("").groupCount() < 1) {
        throw new InvalidRequestException(
            "source-pattern",
            "is '%s', expected a group in parentheses: the source of a clip.".formatted(regex));
      }
      return new SourceVideos(pattern);
    } catch (PatternSyntaxException e) {
      throw new InvalidRequestException(
          "source-pattern",
          "is '%s', which is not a regular expression: %s.".formatted(regex, e.getDescription()),
          e);
    }
  }

  /**
   * Returns the source of a clip: the name of its file without what tells clips apart. The folder
   * does not count, because clips of one source may have several classes, or none yet.
   */
  String of(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.[^.]*$", "");
    Matcher matcher = pattern.matcher(file);
    return matcher.matches() && matcher.group(1) != null ? matcher.group(1) : file;
  }

  /**
   * Chooses test items, class by class: whole sources, until the class has its share. The order of
   * sources follows from the seed and their names, so that few items change sides when clips are
   * added.
   *
   * @param labels the class of each clip; sources with clips that are {@link Dataset#UNLABELLED}
   *     stay in the pool
   * @param share of each class
   * @return for each clip whether it is a test item
   */
  boolean[] test(List<String> paths, int[] labels, double share, long seed) {
    Map<String, List<Integer>> clips = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      clips.computeIfAbsent(of(paths.get(i)), source -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> sources =
        clips.entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> place(entry.getKey(), seed)))
            .map(Map.Entry::getValue)
            .toList();
    boolean[] test = new boolean[labels.length];
    int classes = Arrays.stream(labels).max().orElse(-1) + 1;
    for (int label = 0; label < classes; label++) {
      choose(sources, labels, label, share, test);
    }
    return test;
  }

  /** Where a source stands in the order of choosing. */
  private static long place(String source, long seed) {
    long hash = seed;
    for (int i = 0; i < source.length(); i++) {
      hash = Seeds.scatter(hash + source.charAt(i));
    }
    return hash;
  }

  /** A source is taken where that brings the class nearer to its share; one always stays. */
  private static void choose(
      List<List<Integer>> sources, int[] labels, int label, double share, boolean[] test) {
    List<List<Integer>> own =
        sources.stream().filter(source -> count(source, labels, label) > 0).toList();
    double wanted = share * own.stream().mapToInt(source -> count(source, labels, label)).sum();
    // Sources that are in several classes may have been taken already.
    int taken = 0;
    int left = 0;
    for (List<Integer> source : own) {
      taken += test[source.get(0)] ? count(source, labels, label) : 0;
      left += test[source.get(0)] ? 0 : 1;
    }
    for (List<Integer> source : own) {
      int size = count(source, labels, label);
      boolean open = !test[source.get(0)] && count(source, labels, Dataset.UNLABELLED) == 0;
      boolean nearer = Math.abs(taken + size - wanted) < Math.abs(taken - wanted);
      if (open && nearer && left > 1) {
        source.forEach(item -> test[item] = true);
        taken += size;
        left--;
      }
    }
  }

  /** Returns the number of clips of a class. */
  private static int count(List<Integer> source, int[] labels, int label) {
    return (int) source.stream().filter(item -> labels[item] == label).count();
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
