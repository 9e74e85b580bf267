package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;
import org.alfamix.math.RandomIndices;

/**
 * Reads mini-ImageNet in its common forms: all images in a folder {@code images} with the tables
 * {@code train.csv}, {@code val.csv} and {@code test.csv} next to it, or one folder per class. The
 * tables split the classes for few-shot learning; here, all classes are used, and a fixed random
 * sample of four fifths of each class (480 of 600 images) is the pool.
 */
public final class MiniImageNet {
  private static final long SPLIT_SEED = 20220617;

  private MiniImageNet() {}

  /**
   * Reads the data set.
   *
   * @param images a zip file or a folder
   * @param side height and width that images are resized to: 84 in the paper
   */
  public static Dataset read(String name, Path images, int side) {
    ImageFolder folder = ImageFolder.open(images);
    Map<String, List<String>> classes = byTables(images, folder);
    if (classes.isEmpty()) {
      classes = byFolders(folder);
    }
    if (classes.size() < 2) {
      throw new DataException(
          ("%s: expected one folder per class, or a folder 'images' with train.csv, val.csv and"
                  + " test.csv next to it; found images of %d classes.")
              .formatted(images, classes.size()));
    }
    List<String> names = List.copyOf(classes.keySet());
    List<String> pool = new ArrayList<>();
    List<String> test = new ArrayList<>();
    List<Integer> poolLabels = new ArrayList<>();
    List<Integer> testLabels = new ArrayList<>();
    for (int k = 0; k < names.size(); k++) {
      List<String> members = classes.get(names.get(k));
      int kept = members.size() * 4 / 5;
      int[] sampled =
          RandomIndices.distinct(
              members.size(), members.size(), new SplittableRandom(SPLIT_SEED + k));
      Arrays.sort(sampled, 0, kept);
      Arrays.sort(sampled, kept, sampled.length);
      for (int i = 0; i < sampled.length; i++) {
        (i < kept ? pool : test).add(members.get(sampled[i]));
        (i < kept ? poolLabels : testLabels).add(k);
      }
    }
    return new Dataset(
        name,
        names,
        part(folder, pool, poolLabels, side),
        part(folder, test, testLabels, side),
        ImageFolder.PHOTOS);
  }

  private static Part part(
      ImageFolder folder, List<String> images, List<Integer> labels, int side) {
    return new Part(
        folder.inputs(images, side, ImageFolder.defaultMemory() / 2),
        labels.stream().mapToInt(Integer::intValue).toArray());
  }

  private static Map<String, List<String>> byFolders(ImageFolder folder) {
    Map<String, List<String>> classes = new TreeMap<>();
    for (String name : folder.names()) {
      String[] path = name.split("/");
      if (path.length > 1) {
        classes.computeIfAbsent(path[path.length - 2], key -> new ArrayList<>()).add(name);
      }
    }
    return classes;
  }

  private static Map<String, List<String>> byTables(Path images, ImageFolder folder) {
    Map<String, String> paths = new LinkedHashMap<>();
    for (String name : folder.names()) {
      paths.put(name.substring(name.lastIndexOf('/') + 1), name);
    }
    Map<String, List<String>> classes = new TreeMap<>();
    for (String table : List.of("train.csv", "val.csv", "test.csv")) {
      List<String> lines = folder.lines(table);
      for (int i = 1; i < lines.size(); i++) {
        String[] fields = lines.get(i).strip().split(",");
        String path = fields.length == 2 ? paths.get(fields[0]) : null;
        if (path == null) {
          throw new DataException(
              "%s, %s, line %d: expected the name of an existing image and its class, found '%s'."
                  .formatted(images, table, i + 1, lines.get(i)));
        }
        classes.computeIfAbsent(fields[1], key -> new ArrayList<>()).add(path);
      }
    }
    classes.values().forEach(members -> members.sort(null));
    return classes;
  }
}
