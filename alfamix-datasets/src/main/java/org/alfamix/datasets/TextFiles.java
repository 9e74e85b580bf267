package org.alfamix.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;
import org.alfamix.io.Utf8;

/**
 * Reads texts that are not in a table: a {@code .txt} file with a text per line, or a folder of
 * {@code .txt} files, in one folder per class or all in one folder without classes.
 */
public final class TextFiles {
  private TextFiles() {}

  /**
   * Returns whether a path is a {@code .txt} file or a folder with such files, and no images or
   * videos.
   */
  public static boolean areTexts(Path path) {
    if (Files.isRegularFile(path)) {
      return isText(path.getFileName().toString());
    }
    if (!Files.isDirectory(path)) {
      return false;
    }
    try {
      List<String> files = visible(path);
      return files.stream().anyMatch(TextFiles::isText)
          && files.stream().noneMatch(Images::isImage)
          && !VideoFolder.containsVideos(path);
    } catch (IOException | UncheckedIOException e) {
      return false; // reported by the reader of images
    }
  }

  private static boolean isText(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(".txt");
  }

  private static List<String> visible(Path folder) throws IOException {
    return ClassFolders.files(folder).stream()
        .filter(name -> !ClassFolders.isHidden(name))
        .toList();
  }

  /** Returns all texts of a file or folder for which {@link #areTexts} is true. */
  static TextInputs list(Path path) {
    return Files.isRegularFile(path) ? lines(path) : texts(path, files(path));
  }

  /** Returns the relative paths of all text files in a folder, sorted. */
  static List<String> files(Path folder) {
    try {
      return visible(folder).stream().filter(TextFiles::isText).sorted(CodePoints.ORDER).toList();
    } catch (IOException e) {
      throw DataException.unreadable(folder, e);
    }
  }

  /** Returns the lines of a file as texts; empty lines are skipped. */
  private static TextInputs lines(Path file) {
    String[] lines = Utf8.read(file).split("\r\n|\n|\r", -1);
    List<String> texts = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < lines.length; i++) {
      if (!lines[i].isBlank()) {
        texts.add(lines[i]);
        ids.add("line " + (i + 1));
      }
    }
    if (texts.isEmpty()) {
      throw new DataException(file + ": the file is empty; expected a text per line.");
    }
    return new TextInputs(texts, ids);
  }

  /** Reads a file or folder for which {@link #areTexts} is true. */
  public static Dataset read(Path path, String name) {
    if (Files.isRegularFile(path)) {
      return unlabelled(name, lines(path));
    }
    List<String> files = files(path);
    if (files.stream().noneMatch(file -> file.contains("/"))) {
      return unlabelled(name, texts(path, files));
    }
    ClassFolders classes = ClassFolders.of(path, files, "texts", ".txt");
    if (!classes.isSplit()) {
      Part all = part(path, classes, classes.all());
      return Dataset.split(
          name, classes.names(), all, all.size() / 10, Scaling.none(InputShape.text()));
    }
    return new Dataset(
        name,
        classes.names(),
        part(path, classes, classes.pool()),
        part(path, classes, classes.test()),
        Scaling.none(InputShape.text()));
  }

  private static Part part(Path folder, ClassFolders classes, List<ClassFolders.Entry> entries) {
    return new Part(texts(folder, ClassFolders.fileNames(entries)), classes.labels(entries));
  }

  private static TextInputs texts(Path folder, List<String> files) {
    return new TextInputs(
        files.stream().map(file -> Utf8.read(folder.resolve(file))).toList(), files);
  }

  /** Returns texts without classes; none are held out, because there is nothing to test. */
  static Dataset unlabelled(String name, Inputs texts) {
    int[] labels = new int[texts.size()];
    Arrays.fill(labels, Dataset.UNLABELLED);
    return new Dataset(
        name,
        List.of(),
        new Part(texts, labels),
        new Part(new TextInputs(List.of(), null), new int[0]),
        Scaling.none(InputShape.text()));
  }
}
