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
 * Files in a folder per class. A folder {@code unlabelled} has those without a class. Where there
 * are folders {@code train} and {@code test} above the classes, they are the pool and the test
 * items.
 */
final class ClassFolders {
  private static final Set<String> TRAIN = Set.of("train", "training");
  private static final Set<String> UNLABELLED = Set.of("unlabelled", "unlabeled");
  private static final Set<String> TEST = Set.of("test", "val", "valid", "validation");

  /**
   * A file.
   *
   * @param name its path below the folder
   * @param test whether it is a test item
   */
  record Place(String name, boolean test, String className) {}

  private final Path origin;
  private final List<Place> places;
  private final List<String> classNames;
  private boolean split;

  private ClassFolders(Path origin, List<String> files) {
    this.origin = origin;
    this.places = places(files);
    this.classNames =
        places.stream()
            .map(Place::className)
            .filter(className -> !isUnlabelled(className))
            .distinct()
            .sorted(CodePoints.ORDER)
            .toList();
  }

  /**
   * Reads parts and classes from the paths of files.
   *
   * @param origin the folder or archive, for messages
   * @param items what the files are, as {@code images}
   * @param formats their formats, for messages
   * @throws DataException where there are fewer than two classes, or it is unclear which
   */
  static ClassFolders of(Path origin, List<String> files, String items, String formats) {
    ClassFolders folders = new ClassFolders(origin, files);
    List<String> classNames = folders.classNames;
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: %s, expected %s (%s) in at least two folders, one for each class."
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
            "%s: a folder is called '%s', which is no name that a table of labels can hold."
                .formatted(origin, className));
      }
    }
    return folders;
  }

  /** Returns whether a path has a part that notebooks, versioning or file managers left behind. */
  static boolean isHidden(String name) {
    return Arrays.stream(name.split("/"))
        .anyMatch(part -> part.startsWith(".") || part.equals("__MACOSX"));
  }

  /** Returns the paths of all files below a folder, with slashes between their parts. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString().replace('\\', '/'))
          .toList();
    }
  }

  /** Returns the classes, sorted. */
  List<String> names() {
    return classNames;
  }

  /** Returns whether the folders tell pool and test items apart. */
  boolean isSplit() {
    return split;
  }

  List<Place> all() {
    return places;
  }

  List<Place> pool() {
    return places.stream().filter(place -> !place.test()).toList();
  }

  /** Returns the test items; those without a class are left out. */
  List<Place> test() {
    return places.stream()
        .filter(place -> place.test() && !isUnlabelled(place.className()))
        .toList();
  }

  /** Returns the class of each file by number, or {@link Dataset#UNLABELLED}. */
  int[] labels(List<Place> some) {
    return some.stream().mapToInt(place -> classNames.indexOf(place.className())).toArray();
  }

  static List<String> fileNames(List<Place> some) {
    return some.stream().map(Place::name).toList();
  }

  /** Leaves away folders that all files share, and reads part and class off what remains. */
  private List<Place> places(List<String> files) {
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
    // Where there is a folder to test on, one to validate on is neither that nor the pool.
    Set<String> tests = tops.contains("test") ? Set.of("test") : TEST;
    split = named;
    if (!named) {
      requireClassesBesideEachOther(paths, at);
    }
    List<Place> places = new ArrayList<>();
    for (String[] path : paths) {
      String part = lower(path[at]);
      if (named && (path.length < at + 3 || !(TRAIN.contains(part) || TEST.contains(part)))) {
        throw new DataException(
            "%s/%s: there are folders to train and to test on, expected it in a folder of a class in"
                    .formatted(origin, String.join("/", path))
                + " one of them.");
      }
      if (!named) {
        places.add(new Place(String.join("/", path), false, path[at]));
      } else if (TRAIN.contains(part) || tests.contains(part)) {
        places.add(new Place(String.join("/", path), tests.contains(part), path[at + 1]));
      }
    }
    if (named) {
      for (String part : tops) {
        List<String[]> within =
            paths.stream().filter(path -> lower(path[at]).equals(part)).toList();
        requireClassesBesideEachOther(within, at + 1);
      }
    }
    return places;
  }

  /**
   * The folders at one level are the classes where each has files of its own. Where one has files
   * in folders alone, the classes may be those folders: nobody can tell.
   */
  private void requireClassesBesideEachOther(List<String[]> paths, int level) {
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
        "%s: the classes are ambiguous: %s and %s; expected a folder for each class beside each other, with its files in it."
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
