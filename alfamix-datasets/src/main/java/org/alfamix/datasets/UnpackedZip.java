package org.alfamix.datasets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;

/** Zip files that are unpacked once, for programs that can read nothing but files. */
final class UnpackedZip {
  private static final int DIGITS = 16;

  private UnpackedZip() {}

  /**
   * Returns the folder with the files of an archive; they are unpacked where that was not done
   * before, or where the archive has another size or date since.
   *
   * @param parent where such folders are kept
   * @param wanted which files are unpacked, by their names
   */
  static Path folder(Path archive, Path parent, Predicate<String> wanted) {
    try {
      String key =
          String.join(
              "\n",
              archive.toRealPath().toString(),
              Long.toString(Files.size(archive)),
              Files.getLastModifiedTime(archive).toString());
      MessageDigest digest = Digest.begin();
      String hash = HexFormat.of().formatHex(digest.digest(key.getBytes(UTF_8)));
      String name = archive.getFileName().toString().replaceFirst("(?i)\\.zip$", "");
      Path folder = parent.resolve(name + "-" + hash.substring(0, DIGITS));
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(parent);
        unpack(archive, folder, wanted);
      }
      return folder;
    } catch (IOException e) {
      throw DataException.unreadable(archive, e);
    }
  }

  /** Under a temporary name first, so that a folder of the final name is always whole. */
  private static void unpack(Path archive, Path folder, Predicate<String> wanted)
      throws IOException {
    // Not createTempDirectory: other users of the data folder may read these, too.
    Path temporary =
        Files.createDirectory(
            folder.resolveSibling(
                ".unpacking-%d-%x".formatted(ProcessHandle.current().pid(), System.nanoTime())));
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      List<? extends ZipEntry> entries =
          zip.stream()
              .filter(entry -> !entry.isDirectory() && wanted.test(entry.getName()))
              .toList();
      for (ZipEntry entry : entries) {
        Path file = temporary.resolve(entry.getName()).normalize();
        if (!file.startsWith(temporary)) {
          throw new DataException(
              "%s: the entry '%s' leads out of the archive.".formatted(archive, entry.getName()));
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
      move(temporary, folder);
    } finally {
      delete(temporary);
    }
  }

  private static void move(Path temporary, Path folder) throws IOException {
    try {
      Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!Files.isDirectory(folder)) { // another process was quicker
        throw e;
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
