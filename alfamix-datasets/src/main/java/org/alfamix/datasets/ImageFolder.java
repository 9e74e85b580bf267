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
 * Images in one folder per class, in a folder or a zip file; a folder {@code unlabelled} contains
 * images without a class. If folders {@code train} and {@code test} exist above the classes, they
 * are the pool and the test items; otherwise a tenth is held out for testing.
 */
public final class ImageFolder {
  /** The scaling of photos: means and standard deviations of ImageNet. */
  public static final Scaling PHOTOS =
      Scaling.pixels(new double[] {0.485, 0.456, 0.406}, new double[] {0.229, 0.224, 0.225});

  private static final int MEMORY_SHARE = 4;

  private final Path origin;
  private final ImageInputs.Source source;
  private final List<String> names;
  private final List<String> tables;

  private ImageFolder(Path origin, ImageInputs.Source source, List<String> files) {
    this.origin = origin;
    this.source = source;
    List<String> visible = files.stream().filter(name -> !ClassFolders.isHidden(name)).toList();
    this.names = visible.stream().filter(Images::isImage).sorted(CodePoints.ORDER).toList();
    this.tables = visible.stream().filter(name -> name.endsWith(".csv")).sorted().toList();
  }

  /** Returns whether a path is a folder or a zip file, which {@link #open} accepts. */
  public static boolean isFolderOrZip(Path path) {
    return Files.isDirectory(path) || isZip(path);
  }

  private static boolean isZip(Path path) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
  }

  /** Lists the images without decoding them. */
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
    // Kept open until the program ends, because images are read on demand.
    ZipFile zip = new ZipFile(origin.toFile());
    List<String> names =
        zip.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName).toList();
    return new ImageFolder(origin, name -> zip.getInputStream(zip.getEntry(name)), names);
  }

  /** Returns the default memory for decoded images in bytes: a quarter of the Java heap. */
  public static long defaultMemory() {
    return Runtime.getRuntime().maxMemory() / MEMORY_SHARE;
  }

  /** Returns the lines of a text file with the given name in any folder; empty if none exists. */
  List<String> lines(String fileName) {
    for (String other : tables) {
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

  /** Returns the relative paths of all images. */
  public List<String> names() {
    return names;
  }

  /**
   * Reads the header of an image.
   *
   * @param maxPixels maximum number of pixels
   * @throws DataException if it is not a readable image, or too large
   */
  public ImageFile header(String name, long maxPixels) {
    try (InputStream in = source.open(name)) {
      return ImageFile.of(name, in, maxPixels);
    } catch (IOException e) {
      throw DataException.unreadable(origin.resolve(name), e);
    }
  }

  /** Returns the content of an image file. */
  public byte[] bytes(String name) {
    try {
      return source.bytes(name);
    } catch (IOException e) {
      throw DataException.unreadable(origin.resolve(name), e);
    }
  }

  /**
   * Returns the given images as inputs.
   *
   * @param side height and width that every image is resized to
   * @param memory maximum number of bytes of decoded images to keep
   */
  public Inputs inputs(List<String> selected, int side, long memory) {
    return new ImageInputs(source, origin.toString(), selected, side, side, memory);
  }

  /**
   * Reads a data set of square images.
   *
   * @param side height and width that every image is resized to
   * @param memory maximum number of bytes of decoded images to keep
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

  private Part part(ClassFolders classes, List<ClassFolders.Entry> entries, int side, long memory) {
    return new Part(inputs(ClassFolders.fileNames(entries), side, memory), classes.labels(entries));
  }
}
