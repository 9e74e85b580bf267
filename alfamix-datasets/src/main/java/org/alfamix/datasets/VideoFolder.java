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
 * Videos in a folder per class, in a folder or a zip file, which is unpacked once. Where there are
 * folders {@code train} and {@code test} above the classes, they are the pool and the test items;
 * otherwise a fifth is for testing, and clips of one source video are never on both sides.
 */
public final class VideoFolder {
  private static final Set<String> VIDEOS = Set.of("mp4", "m4v", "mov", "avi", "webm", "mkv");

  /** May be videos, or images. */
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

  /** Returns whether a file of this name is a video that may be read; GIFs are. */
  public static boolean isVideo(String name) {
    return VIDEOS.contains(ending(name)) || ending(name).equals(GIF);
  }

  private static String ending(String name) {
    return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns whether a folder or zip file has videos in it. GIFs alone count as images.
   *
   * @throws DataException where it has images as well
   */
  public static boolean isOne(Path path) {
    if (!ImageFolder.isOne(path)) {
      return false;
    }
    List<String> files = list(path).stream().filter(name -> !ClassFolders.isHidden(name)).toList();
    Optional<String> video = files.stream().filter(name -> VIDEOS.contains(ending(name))).findAny();
    Predicate<String> isImage = name -> Images.isImage(name) && !ending(name).equals(GIF);
    Optional<String> image = files.stream().filter(isImage).findAny();
    if (video.isPresent() && image.isPresent()) {
      throw new DataException(
          "%s: both videos and images, as %s and %s; expected one kind."
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
   * Finds the videos; none is decoded yet.
   *
   * @param path a folder, or a zip file
   * @param unpacked where zip files are unpacked to
   */
  public static VideoFolder open(Path path, Path unpacked) {
    Path folder =
        Files.isDirectory(path) ? path : UnpackedZip.folder(path, unpacked, VideoFolder::isVideo);
    return new VideoFolder(folder, list(folder));
  }

  /** Returns the folder, or that of the unpacked zip file. */
  public Path folder() {
    return folder;
  }

  /** Returns all videos, by their paths below the folder. */
  public List<String> names() {
    return names;
  }

  /**
   * Returns some of the videos as inputs, whatever folders they are in.
   *
   * @param memory number of bytes of decoded clips to keep
   */
  public Inputs inputs(List<String> some, ClipOptions options, long memory) {
    return new VideoInputs(folder, some, options, memory);
  }

  /**
   * Reads a data set.
   *
   * @param pattern tells source videos where the folders tell no test items: a regular expression
   *     for the name of a clip without its ending, whose first group is the source; empty for the
   *     usual names
   */
  public Dataset read(String name, Optional<String> pattern) {
    SourceVideos sources = pattern.map(SourceVideos::by).orElseGet(SourceVideos::usual);
    ClassFolders classes = ClassFolders.of(folder, names, "videos", FORMATS);
    if (classes.isSplit() && pattern.isPresent()) {
      throw new InvalidRequestException(
          "source-pattern",
          "is for folders without train and test; %s has both.".formatted(folder));
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
        all.subset(SourceVideos.places(test, false)),
        all.subset(SourceVideos.places(test, true)),
        ImageFolder.PHOTOS);
  }

  private Part part(ClassFolders classes, List<ClassFolders.Place> places) {
    return new Part(
        inputs(ClassFolders.fileNames(places), ClipOptions.PAPER, ImageFolder.usualMemory()),
        classes.labels(places));
  }
}
