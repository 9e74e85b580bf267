package org.alfamix.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.zip.ZipFile;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;

/**
 * Videos in one folder per class, in a folder or a zip file, which is unpacked once. If folders
 * {@code train} and {@code test} exist above the classes, they are the pool and the test items;
 * otherwise a fifth is held out for testing, and clips of one source video are never in both parts.
 */
public final class VideoFolder {
  private static final Set<String> VIDEOS = Set.of("mp4", "m4v", "mov", "avi", "webm", "mkv");

  /** GIFs are either videos or images. */
  private static final String GIF = "gif";

  private static final String FORMATS = "MP4, MOV, AVI, WebM, MKV, GIF";
  private static final double TEST_SHARE = 0.2;
  private static final long SPLIT_SEED = 20220617;

  private final Path folder;
  private final List<String> names;

  private VideoFolder(Path folder, List<String> files) {
    this.folder = folder;
    this.names =
        files.stream()
            .filter(name -> isVideo(name) && !ClassFolders.isHidden(name))
            .sorted(CodePoints.ORDER)
            .toList();
  }

  /** Returns whether the name is that of a video in a supported format, including GIF. */
  public static boolean isVideo(String name) {
    return VIDEOS.contains(extension(name)) || extension(name).equals(GIF);
  }

  private static String extension(String name) {
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a folder or zip file contains videos. Only GIFs count as images.
   *
   * @throws DataException if it also contains images
   */
  public static boolean containsVideos(Path path) {
    if (!ImageFolder.isFolderOrZip(path)) {
      return false;
    }
    List<String> files = list(path).stream().filter(name -> !ClassFolders.isHidden(name)).toList();
    Optional<String> video =
        files.stream().filter(name -> VIDEOS.contains(extension(name))).findAny();
    Predicate<String> isImage = name -> Images.isImage(name) && !extension(name).equals(GIF);
    Optional<String> image = files.stream().filter(isImage).findAny();
    if (video.isPresent() && image.isPresent()) {
      throw new DataException(
          "%s: expected either videos or images, found both: %s and %s."
              .formatted(path, video.get(), image.get()));
    }
    return video.isPresent();
  }

  private static List<String> list(Path path) {
    try {
      if (Files.isDirectory(path)) {
        return ClassFolders.files(path);
      }
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      try (ZipFile zip = new ZipFile(path.toFile())) {
        return zip.stream()
            .filter(entry -> !entry.isDirectory())
            .map(entry -> entry.getName())
            .toList();
      }
    } catch (UncheckedIOException e) {
      throw DataException.unreadable(path, e.getCause());
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
  }

  /**
   * Lists the videos without decoding them.
   *
   * @param path a folder or a zip file
   * @param unpacked the parent folder of unpacked zip files
   */
  public static VideoFolder open(Path path, Path unpacked) {
    Path folder =
        Files.isDirectory(path) ? path : UnpackedZip.folder(path, unpacked, VideoFolder::isVideo);
    return new VideoFolder(folder, list(folder));
  }

  /** Returns the folder, which is that of the unpacked files for a zip file. */
  public Path folder() {
    return folder;
  }

  /** Returns the relative paths of all videos. */
  public List<String> names() {
    return names;
  }

  /**
   * Returns the given videos as inputs.
   *
   * @param memory maximum number of bytes of decoded clips to keep
   */
  public Inputs inputs(List<String> selected, ClipOptions options, long memory) {
    return new VideoInputs(folder, selected, options, memory);
  }

  /**
   * Reads a data set.
   *
   * @param pattern a regular expression for the name of a clip without its extension, whose first
   *     group is the source video; empty for the default pattern. Only for folders without {@code
   *     train} and {@code test}
   */
  public Dataset read(String name, Optional<String> pattern) {
    SourceVideos sources =
        pattern.map(SourceVideos::byPattern).orElseGet(SourceVideos::byDefaultPattern);
    ClassFolders classes = ClassFolders.of(folder, names, "videos", FORMATS);
    if (classes.isSplit() && pattern.isPresent()) {
      throw new InvalidRequestException(
          "source-pattern",
          "applies only to folders without train and test; %s has both.".formatted(folder));
    }
    if (classes.isSplit()) {
      return new Dataset(
          name,
          classes.names(),
          part(classes, classes.pool()),
          part(classes, classes.test()),
          ImageFolder.PHOTOS);
    }
    Part all = part(classes, classes.all());
    return split(
        name,
        classes.names(),
        all,
        sources.test(ClassFolders.fileNames(classes.all()), all.labels(), TEST_SHARE, SPLIT_SEED));
  }

  static Dataset split(String name, List<String> classNames, Part all, boolean[] test) {
    return new Dataset(
        name,
        classNames,
        all.subset(SourceVideos.indices(test, false)),
        all.subset(SourceVideos.indices(test, true)),
        ImageFolder.PHOTOS);
  }

  private Part part(ClassFolders classes, List<ClassFolders.Entry> entries) {
    return new Part(
        inputs(ClassFolders.fileNames(entries), ClipOptions.PAPER, ImageFolder.defaultMemory()),
        classes.labels(entries));
  }
}
