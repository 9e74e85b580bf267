package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;

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

  private final Path origin;
  private final ImageInputs.Source source;
  private final List<String> names;
  private final List<String> texts;

  private ImageFolder(Path origin, ImageInputs.Source source, List<String> files) {
    this.origin = origin;
    this.source = source;
    List<String> shown = files.stream().filter(name -> !ClassFolders.isHidden(name)).toList();
    this.names = shown.stream().filter(Images::isImage).sorted(CodePoints.ORDER).toList();
    this.texts = shown.stream().filter(name -> name.endsWith(".csv")).sorted().toList();
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
    return new ImageFolder(
        origin, name -> Files.newInputStream(origin.resolve(name)), ClassFolders.files(origin));
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

  /**
   * As a data set of square images.
   *
   * @param side height and width that every image is resized to
   * @param memory how many bytes of decoded images may be kept
   */
  public Dataset read(String name, int side, long memory) {
    ClassFolders classes = ClassFolders.of(origin, names, "images", "JPEG, PNG, WebP");
    if (!classes.isSplit()) {
      Part all = part(classes, classes.all(), side, memory);
      return Dataset.split(name, classes.names(), all, all.size() / 10, PHOTOS);
    }
    return new Dataset(
        name,
        classes.names(),
        part(classes, classes.pool(), side, memory / 2),
        part(classes, classes.test(), side, memory / 2),
        PHOTOS);
  }

  private Part part(ClassFolders classes, List<ClassFolders.Place> places, int side, long memory) {
    return new Part(inputs(ClassFolders.fileNames(places), side, memory), classes.labels(places));
  }
}
