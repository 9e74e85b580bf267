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
 * Determines which clips are from the same source video, and splits clips so that those of one
 * source are never in both parts. They are so similar that testing on one after training on another
 * would overestimate the accuracy of every model.
 */
final class SourceVideos {
  /**
   * A final number, if the name has another digit before it: {@code film_np1_3} is clip 3 of {@code
   * film_np1}, and {@code v_Archery_g02_c05} is clip 5 of {@code v_Archery_g02}, but {@code
   * IMG_0001} is a separate video.
   */
  private static final Pattern DEFAULT_PATTERN =
      Pattern.compile("(.*\\d.*?)[_-](?:c|clip|part|scene|shot|seg)?[_-]?\\d+");

  private final Pattern pattern;

  private SourceVideos(Pattern pattern) {
    this.pattern = pattern;
  }

  static SourceVideos byDefaultPattern() {
    return new SourceVideos(DEFAULT_PATTERN);
  }

  /**
   * @param regex a regular expression for names of clips without extension; its first group is the
   *     source
   * @throws InvalidRequestException if it is invalid or has no group
   */
  static SourceVideos byPattern(String regex) {
    try {
      Pattern pattern = Pattern.compile(regex);
      if (pattern.matcher("").groupCount() < 1) {
        throw new InvalidRequestException(
            "source-pattern",
            "is '%s', expected a group in parentheses for the source of a clip.".formatted(regex));
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
   * Returns the source of a clip: the name of its file without the number of the clip. The folder
   * is ignored, because clips of one source may have different classes, or none yet.
   */
  String of(String path) {
    String file = path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\.[^.]*$", "");
    Matcher matcher = pattern.matcher(file);
    return matcher.matches() && matcher.group(1) != null ? matcher.group(1) : file;
  }

  /**
   * Selects test items class by class: whole sources, until the class has its share. The order of
   * sources depends on the seed and their names, so that few items move to the other part when
   * clips are added.
   *
   * @param labels the class of each clip; sources with clips that are {@link Dataset#UNLABELLED}
   *     stay in the pool
   * @param share share of test items of each class
   * @return whether each clip is a test item
   */
  boolean[] test(List<String> paths, int[] labels, double share, long seed) {
    Map<String, List<Integer>> clips = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      clips.computeIfAbsent(of(paths.get(i)), source -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> sources =
        clips.entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> rank(entry.getKey(), seed)))
            .map(Map.Entry::getValue)
            .toList();
    boolean[] test = new boolean[labels.length];
    int classes = Arrays.stream(labels).max().orElse(-1) + 1;
    for (int label = 0; label < classes; label++) {
      selectSources(sources, labels, label, share, test);
    }
    return test;
  }

  /** Returns the position of a source in the order of selection. */
  private static long rank(String source, long seed) {
    long hash = seed;
    for (int i = 0; i < source.length(); i++) {
      hash = Seeds.scatter(hash + source.charAt(i));
    }
    return hash;
  }

  /**
   * Selects sources that bring a class closer to its share; one source always stays in the pool.
   */
  private static void selectSources(
      List<List<Integer>> sources, int[] labels, int label, double share, boolean[] test) {
    List<List<Integer>> own =
        sources.stream().filter(source -> count(source, labels, label) > 0).toList();
    double wanted = share * own.stream().mapToInt(source -> count(source, labels, label)).sum();
    // Sources with several classes may already be selected.
    int selected = 0;
    int remaining = 0;
    for (List<Integer> source : own) {
      selected += test[source.get(0)] ? count(source, labels, label) : 0;
      remaining += test[source.get(0)] ? 0 : 1;
    }
    for (List<Integer> source : own) {
      int size = count(source, labels, label);
      boolean available = !test[source.get(0)] && count(source, labels, Dataset.UNLABELLED) == 0;
      boolean closer = Math.abs(selected + size - wanted) < Math.abs(selected - wanted);
      if (available && closer && remaining > 1) {
        source.forEach(item -> test[item] = true);
        selected += size;
        remaining--;
      }
    }
  }

  /** Returns the number of clips of a class. */
  private static int count(List<Integer> source, int[] labels, int label) {
    return (int) source.stream().filter(item -> labels[item] == label).count();
  }

  /** Returns the indices of clips that are test items, or of those that are not. */
  static int[] indices(boolean[] test, boolean wanted) {
    int[] indices = new int[test.length];
    int count = 0;
    for (int i = 0; i < test.length; i++) {
      if (test[i] == wanted) {
        indices[count++] = i;
      }
    }
    return Arrays.copyOf(indices, count);
  }
}
