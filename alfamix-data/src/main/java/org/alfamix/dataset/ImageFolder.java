package org.alfamix.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.data.CodePoints;
import org.alfamix.data.DataException;
import org.alfamix.dataset.Dataset.Part;

/**
 * Images in a folder per class, in a folder or a zip file; a folder {@code unlabelled} has those
 * whose class nobody has said. Where there are folders {@code train} and {@code test} above the
 * classes, they are the pool and the test items; otherwise a tenth is for testing.
 */
public final class ImageFolder {
  /** Means and deviations of ImageNet, which photos are scaled by. */
  public static final Scaling PHOTOS =
      Scaling.pixels(new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225});

  private static final int MEMORY_SHARE = 4;
  private static final Set<String> TRAIN = Set.of("train", "training");
  private static final Set<String> UNLABELLED = Set.of("unlabelled", "unlabeled");
  private static final Set<String> TEST = Set.of("test", "val", "valid", "validation");

  private final Path origin;
  private final ImageInputs.Source source;
  private final List<String> names;
  private final List<String> texts;

  private ImageFolder(Path origin, ImageInputs.Source source, List<String> files) {
    this.origin = origin;
    this.source = source;
    List<String> shown = files.stream().filter(name -> !isHidden(name)).toList();
    this.names = shown.stream().filter(Images::isImage).sorted(CodePoints.ORDER).toList();
    this.texts = shown.stream().filter(name -> name.endsWith(".csv")).sorted().toList();
  }

  /** Returns whether a path has a part that notebooks, versioning or file managers left behind. */
  private static boolean isHidden(String name) {
    return Arrays.stream(name.split("/"))
        .anyMatch(part -> part.startsWith(".") || part.equals("__MACOSX"));
  }

  /** Whether this is something that {@link #open} may be asked to read. */
  public static boolean isOne(Path path) {
    return Files.isDirectory(path) || isZip(path);
  }

  private static boolean isZip(Path path) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
  }

  /** Finds the images; none is decoded yet. */
  public static ImageFolder open(Path origin) {
    try {
      return isZip(origin) && !Files.isDirectory(origin) ? zip(origin) : folder(origin);
    } catch (UncheckedIOException e) {
      throw DataException.unreadable(origin, e.getCause());
    } catch (IOException e) {
      throw DataException.unreadable(origin, e);
    }
  }

  private static ImageFolder folder(Path origin) throws IOException {
    if (!Files.exists(origin)) {
      throw new NoSuchFileException(origin.toString());
    }
    List<String> names;
    try (Stream<Path> files = Files.walk(origin, FileVisitOption.FOLLOW_LINKS)) {
      names =
          files
              .filter(Files::isRegularFile)
              .map(file -> origin.relativize(file).toString().replace('\\', '/'))
              .toList();
    }
    return new ImageFolder(origin, name -> Files.newInputStream(origin.resolve(name)), names);
  }

  private static ImageFolder zip(Path origin) throws IOException {
    if (!Files.exists(origin)) {
      throw new NoSuchFileException(origin.toString());
    }
    // Open as long as the images may be asked for, which is until the program ends.
    ZipFile zip = new ZipFile(origin.toFile());
    List<String> names =
        zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    return new ImageFolder(origin, name -> zip.getInputStream(zip.getEntry(name)), names);
  }

  /** How much memory decoded images may take where nobody says so: a quarter of Java's. */
  public static long usualMemory() {
    return Runtime.getRuntime().maxMemory() / MEMORY_SHARE;
  }

  /** The lines of the text file of this name, in whatever folder; none where there is none. */
  List<String> lines(String fileName) {
    for (String other : texts) {
      if (other.equals(fileName) || other.endsWith("/" + fileName)) {
        try {
          return new String(source.bytes(other), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
          throw DataException.unreadable(origin.resolve(other), e);
        }
      }
    }
    return List.of();
  }

  /** All images, by their paths within. */
  public List<String> names() {
    return names;
  }

  /**
   * What the first bytes of an image say of it.
   *
   * @param mostPixels what is larger is refused
   * @throws DataException where it is no image that can be read
   */
  public ImageFile header(String name, long mostPixels) {
    try (InputStream in = source.open(name)) {
      return ImageFile.of(name, in, mostPixels);
    } catch (IOException e) {
      throw DataException.unreadable(origin.resolve(name), e);
    }
  }

  /** The file of an image, as it is. */
  public byte[] bytes(String name) {
    try {
      return source.bytes(name);
    } catch (IOException e) {
      throw DataException.unreadable(origin.resolve(name), e);
    }
  }

  /**
   * Some of the images as inputs, whatever folders they are in.
   *
   * @param side height and width that every image is resized to
   * @param memory how many bytes of decoded images may be kept
   */
  public Inputs inputs(List<String> some, int side, long memory) {
    return new ImageInputs(source, origin.toString(), some, side, side, memory);
  }

  /** One image: which part it belongs to, and its class. */
  private record Place(String name, boolean test, String className) {}

  /**
   * As a data set of square images.
   *
   * @param side height and width that every image is resized to
   * @param memory how many bytes of decoded images may be kept
   */
  public Dataset read(String name, int side, long memory) {
    boolean[] split = new boolean[1];
    List<Place> places = places(split);
    List<String> classNames =
        places.stream()
            .map(Place::className)
            .filter(className -> !isUnlabelled(className))
            .distinct()
            .sorted(CodePoints.ORDER)
            .toList();
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: %s, expected images (JPEG, PNG, WebP) in at least two folders, one for each class."
              .formatted(
                  origin,
                  classNames.isEmpty()
                      ? "no images in folders"
                      : "images of one class only, '" + classNames.get(0) + "'"));
    }
    for (String className : classNames) {
      if (!className.equals(className.strip()) || className.equalsIgnoreCase("nan")) {
        throw new DataException(
            "%s: a folder is called '%s', which is no name that a table of labels can hold."
                .formatted(origin, className));
      }
    }
    if (!split[0]) {
      Part all = part(places, classNames, side, memory);
      return Dataset.split(name, classNames, all, all.size() / 10, PHOTOS);
    }
    return new Dataset(
        name,
        classNames,
        part(places.stream().filter(place -> !place.test()).toList(), classNames, side, memory / 2),
        part(
            places.stream()
                .filter(place -> place.test() && !isUnlabelled(place.className()))
                .toList(),
            classNames,
            side,
            memory / 2),
        PHOTOS);
  }

  private Part part(List<Place> places, List<String> classNames, int side, long memory) {
    Inputs inputs =
        new ImageInputs(
            source,
            origin.toString(),
            places.stream().map(Place::name).toList(),
            side,
            side,
            memory);
    return new Part(
        inputs, places.stream().mapToInt(place -> classNames.indexOf(place.className())).toArray());
  }

  /** Leaves away folders that all images share, and reads part and class off what remains. */
  private List<Place> places(boolean[] split) {
    List<String[]> paths = new ArrayList<>();
    for (String name : names) {
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
    split[0] = named;
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
   * The folders at one level are the classes where each has images of its own. Where one has images
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
        "%s: the classes are ambiguous: %s and %s; expected a folder for each class beside each other, with its images in it."
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
