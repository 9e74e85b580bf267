package org.alfamix.datasets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/**
 * Reads the photos of DomainNet: one folder per class, in a folder or a zip file, and two lists of
 * images with the numbers of their classes, for training and for testing.
 */
public final class DomainNet {
  /** The classes of the smaller of the paper's two subsets. */
  public static final List<String> TEN =
      List.of("bat", "bear", "bicycle", "bird", "bus", "butterfly", "car", "cat", "dog", "zebra");

  /** The classes of the larger subset, which contains the smaller one. */
  public static final List<String> TWENTY =
      List.of(
          "bat",
          "bear",
          "bicycle",
          "bird",
          "bus",
          "butterfly",
          "car",
          "cat",
          "dog",
          "zebra",
          "bathtub",
          "bed",
          "bench",
          "carrot",
          "chair",
          "couch",
          "cruise_ship",
          "pizza",
          "strawberry",
          "table");

  private static final int SIDE = 224;

  private DomainNet() {}

  /** A line of a list. */
  private record Line(String image, int number, String className) {}

  /**
   * Reads the data set.
   *
   * @param images the zip file or folder that contains a folder {@code real}
   * @param classes the classes to keep; empty for all
   */
  public static Dataset read(
      String name, Path images, Path train, Path test, List<String> classes) {
    ImageFolder folder = ImageFolder.open(images);
    Set<String> existing = new HashSet<>(folder.names());
    TreeMap<Integer, String> names = new TreeMap<>();
    List<Line> pool = lines(train, existing, images, names);
    List<Line> tests = lines(test, existing, images, names);
    List<String> classNames = List.copyOf(names.values());
    if (names.isEmpty() || names.lastKey() != names.size() - 1) {
      throw new DataException(
          "%s: found %d classes%s; expected consecutive class numbers from 0."
              .formatted(
                  train,
                  names.size(),
                  names.isEmpty() ? "" : ", numbered up to " + names.lastKey()));
    }
    Dataset all =
        new Dataset(name, classNames, part(folder, pool), part(folder, tests), ImageFolder.PHOTOS);
    try {
      return classes.isEmpty() ? all : all.withClasses(classes);
    } catch (InvalidRequestException e) {
      throw new DataException(train + ": " + e.getMessage(), e);
    }
  }

  private static Part part(ImageFolder folder, List<Line> lines) {
    return new Part(
        folder.inputs(lines.stream().map(Line::image).toList(), SIDE, ImageFolder.defaultMemory()),
        lines.stream().mapToInt(Line::number).toArray());
  }

  /** Reads lines such as {@code real/zebra/real_344_000001.jpg 344}. */
  private static List<Line> lines(
      Path list, Set<String> existing, Path images, Map<Integer, String> names) {
    List<String> texts;
    try {
      texts = Files.readAllLines(list);
    } catch (IOException e) {
      throw DataException.unreadable(list, e);
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i).strip();
      if (text.isEmpty()) {
        continue;
      }
      String place = "%s, line %d".formatted(list, i + 1);
      Line line = line(place, text);
      if (!existing.contains(line.image)) {
        throw new DataException(
            "%s: %s does not exist in %s.".formatted(place, line.image, images));
      }
      String known = names.putIfAbsent(line.number, line.className);
      if (known != null && !known.equals(line.className)) {
        throw new DataException(
            "%s: class %d is '%s', but '%s' in an earlier line."
                .formatted(place, line.number, line.className, known));
      }
      lines.add(line);
    }
    return lines;
  }

  private static Line line(String place, String text) {
    int blank = text.lastIndexOf(' ');
    String[] path = text.substring(0, Math.max(0, blank)).split("/");
    String number = text.substring(blank + 1);
    if (path.length < 2 || !number.matches("\\d{1,6}")) {
      throw new DataException(
          "%s: expected the path of an image and its class number, found '%s'."
              .formatted(place, text));
    }
    return new Line(String.join("/", path), Integer.parseInt(number), path[path.length - 2]);
  }
}
