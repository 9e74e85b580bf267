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

/** Unpacks zip files once, for libraries that can only read files. */
final class UnpackedZip {
  private static final int DIGITS = 16;

  private UnpackedZip() {}

  /**
   * Returns the folder with the files of an archive. The files are unpacked at first use, and again
   * if the size or date of the archive has changed.
   *
   * @param parent the folder of unpacked archives
   * @param wanted a filter on the names of the files to unpack
   */
  static Path folder(Path archive, Path parent, Predicate<String> wanted) {
    try {
      String key =
          String.join(
              "\n",
              archive.toRealPath().toString(),
              Long.toString(Files.size(archive)),
              Files.getLastModifiedTime(archive).toString());
      MessageDigest digest = Digest.newSha256();
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

  /** Unpacks to a temporary folder first, so that a folder with the final name is complete. */
  private static void unpack(Path archive, Path folder, Predicate<String> wanted)
      throws IOException {
    // Not createTempDirectory, because other users of the data folder must be able to read it.
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
              "%s: the entry '%s' is outside the target folder."
                  .formatted(archive, entry.getName()));
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
      if (!Files.isDirectory(folder)) { // another process was faster
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
