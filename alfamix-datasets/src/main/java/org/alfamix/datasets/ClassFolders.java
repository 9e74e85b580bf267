package org.alfamix.datasets;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;

/**
 * Files in one folder per class. A folder {@code unlabelled} contains files without a class. If
 * folders {@code train} and {@code test} exist above the classes, they are the pool and the test
 * items.
 */
final class ClassFolders {
  private static final Set<String> TRAIN = Set.of("train", "training");
  private static final Set<String> UNLABELLED = Set.of("unlabelled", "unlabeled");
  private static final Set<String> TEST = Set.of("test", "val", "valid", "validation");

  /**
   * A file and its class.
   *
   * @param name its path relative to the folder
   * @param test whether it is a test item
   */
  record Entry(String name, boolean test, String className) {}

  private final Path origin;
  private final List<Entry> entries;
  private final List<String> classNames;
  private boolean split;

  private ClassFolders(Path origin, List<String> files) {
    this.origin = origin;
    this.entries = readEntries(files);
    this.classNames =
        entries.stream()
            .map(Entry::className)
            .filter(className -> !isUnlabelled(className))
            .distinct()
            .sorted(CodePoints.ORDER)
            .toList();
  }

  /**
   * Reads parts and classes from the paths of files.
   *
   * @param origin the folder or archive, for messages
   * @param items the kind of the files in the plural, such as {@code images}
   * @param formats their formats, for messages
   * @throws DataException if there are fewer than two classes, or they are ambiguous
   */
  static ClassFolders of(Path origin, List<String> files, String items, String formats) {
    ClassFolders folders = new ClassFolders(origin, files);
    List<String> classNames = folders.classNames;
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: %s, expected %s (%s) in at least two folders, one per class."
              .formatted(
                  origin,
                  classNames.isEmpty()
                      ? "no %s in folders".formatted(items)
                      : "%s of one class only, '%s'".formatted(items, classNames.get(0)),
                  items,
                  formats));
    }
    for (String className : classNames) {
      if (!className.equals(className.strip()) || className.equalsIgnoreCase("nan")) {
        throw new DataException(
            "%s: the folder name '%s' cannot be a class name in a table of labels; rename it."
                .formatted(origin, className));
      }
    }
    return folders;
  }

  /**
   * Returns whether part of a path is hidden, as left by notebooks, version control or file
   * managers.
   */
  static boolean isHidden(String name) {
    return Arrays.stream(name.split("/"))
        .anyMatch(part -> part.startsWith(".") || part.equals("__MACOSX"));
  }

  /** Returns the relative paths of all files below a folder, separated by slashes. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .toList();
    }
  }

  /** Returns the names of the classes, sorted. */
  List<String> names() {
    return classNames;
  }

  /** Returns whether the folders separate pool and test items. */
  boolean isSplit() {
    return split;
  }

  List<Entry> all() {
    return entries;
  }

  List<Entry> pool() {
    return entries.stream().filter(entry -> !entry.test()).toList();
  }

  /** Returns the test items, without unlabelled ones. */
  List<Entry> test() {
    return entries.stream()
        .filter(entry -> entry.test() && !isUnlabelled(entry.className()))
        .toList();
  }

  /** Returns the class number of each file, or {@link Dataset#UNLABELLED}. */
  int[] labels(List<Entry> selected) {
    return selected.stream().mapToInt(entry -> classNames.indexOf(entry.className())).toArray();
  }

  static List<String> fileNames(List<Entry> selected) {
    return selected.stream().map(Entry::name).toList();
  }

  /** Strips the folders that all files share, and reads part and class from the rest. */
  private List<Entry> readEntries(List<String> files) {
    List<String[]> paths = new ArrayList<>();
    for (String name : files) {
      String[] parts = name.split("/");
      if (parts.length > 1) {
        paths.add(parts);
      }
    }
    int depth = 0;
    while (!paths.isEmpty() && shared(paths, depth)) {
      depth++;
    }
    int at = depth;
    Set<String> tops =
        paths.stream().map(path -> lower(path[at])).collect(Collectors.toCollection(TreeSet::new));
    boolean named =
        tops.stream().anyMatch(TRAIN::contains) && tops.stream().anyMatch(TEST::contains);
    // If there is a test folder, a validation folder belongs to neither part.
    Set<String> tests = tops.contains("test") ? Set.of("test") : TEST;
    split = named;
    if (!named) {
      requireUnambiguousClasses(paths, at);
    }
    List<Entry> entries = new ArrayList<>();
    for (String[] path : paths) {
      String part = lower(path[at]);
      if (named && (path.length < at + 3 || !(TRAIN.contains(part) || TEST.contains(part)))) {
        throw new DataException(
            "%s/%s: expected this file in a class folder below the train or test folder."
                .formatted(origin, String.join("/", path)));
      }
      if (!named) {
        entries.add(new Entry(String.join("/", path), false, path[at]));
      } else if (TRAIN.contains(part) || tests.contains(part)) {
        entries.add(new Entry(String.join("/", path), tests.contains(part), path[at + 1]));
      }
    }
    if (named) {
      for (String part : tops) {
        List<String[]> within =
            paths.stream().filter(path -> lower(path[at]).equals(part)).toList();
        requireUnambiguousClasses(within, at + 1);
      }
    }
    return entries;
  }

  /**
   * Requires that every folder at one level directly contains files. If one only contains
   * subfolders, those might be the classes, and the layout is ambiguous.
   */
  private void requireUnambiguousClasses(List<String[]> paths, int level) {
    Map<String, String[]> direct = new LinkedHashMap<>();
    Map<String, String[]> nested = new LinkedHashMap<>();
    for (String[] path : paths) {
      if (!isUnlabelled(path[level])) {
        (path.length == level + 2 ? direct : nested).putIfAbsent(path[level], path);
      }
    }
    nested.keySet().removeAll(direct.keySet());
    if (nested.isEmpty() || direct.size() + nested.size() < 2) {
      return;
    }
    List<String[]> both = new ArrayList<>(nested.values());
    both.addAll(0, direct.values().stream().limit(1).toList());
    throw new DataException(
        "%s: the classes are ambiguous: %s and %s; expected all class folders at the same level, with files directly inside."
            .formatted(origin, String.join("/", both.get(0)), String.join("/", both.get(1))));
  }

  private static boolean isUnlabelled(String folder) {
    return UNLABELLED.contains(lower(folder));
  }

  private static String lower(String folder) {
    return folder.toLowerCase(Locale.ROOT);
  }

  private static boolean shared(List<String[]> paths, int depth) {
    String first = paths.get(0)[depth];
    return paths.stream().allMatch(path -> path.length > depth + 2 && path[depth].equals(first));
  }
}
