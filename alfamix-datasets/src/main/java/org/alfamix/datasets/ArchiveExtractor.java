package org.alfamix.datasets;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.alfamix.io.DataException;

/**
 * Extracts files of a data set from a .zip or .tar.gz archive. Each file is verified before it is
 * moved to its final path.
 */
final class ArchiveExtractor {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path temporaryFolder;
  private final Path folder;

  ArchiveExtractor(Path temporaryFolder, Path folder) {
    this.temporaryFolder = temporaryFolder;
    this.folder = folder;
  }

  /**
   * Extracts the given files.
   *
   * @param members the path of each file in the archive
   * @throws IOException if a file is missing in the archive; the message names it
   */
  void extract(Path archive, List<DataFile> files, Map<String, String> members) throws IOException {
    Map<String, DataFile> wanted = new HashMap<>();
    for (DataFile file : files) {
      if (members.containsKey(file.name())) {
        wanted.put(members.get(file.name()), file);
      }
    }
    try {
      if (archive.getFileName().toString().endsWith(".zip")) {
        unzip(archive, wanted);
      } else {
        untar(archive, wanted);
      }
    } catch (DataException | ZipException | EOFException e) {
      // An archive with the wrong content would fail on every attempt; a full disk might not.
      Files.deleteIfExists(archive);
      throw e;
    }
    if (!wanted.isEmpty()) {
      Files.delete(archive);
      throw new IOException("the archive has no file " + wanted.keySet().iterator().next());
    }
  }

  private void unzip(Path archive, Map<String, DataFile> wanted) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (String member : List.copyOf(wanted.keySet())) {
        ZipEntry entry = zip.getEntry(member);
        if (entry != null) {
          try (InputStream in = zip.getInputStream(entry)) {
            extract(in, wanted.remove(member), member);
          }
        }
      }
    }
  }

  private void untar(Path archive, Map<String, DataFile> wanted) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive), BUFFER_BYTES);
        Tar tar = new Tar(new GZIPInputStream(in, BUFFER_BYTES))) {
      while (!wanted.isEmpty() && tar.next()) {
        DataFile file = wanted.remove(tar.name());
        if (file != null) {
          extract(tar.content(), file, tar.name());
        }
      }
    }
  }

  private void extract(InputStream in, DataFile expected, String member) throws IOException {
    String name = member.substring(member.lastIndexOf('/') + 1);
    Path temporary = temporaryFolder.resolve(name);
    try {
      try (OutputStream out = Files.newOutputStream(temporary)) {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read; (read = in.read(buffer)) >= 0; ) {
          ResumableDownload.write(out, buffer, read, temporary);
        }
      }
      install(temporary, expected, folder.resolve(name));
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Verifies the size and checksum of a file, then moves it to its final path. */
  static void install(Path file, DataFile expected, Path target) throws IOException {
    try {
      expected.verify(file);
    } catch (DataException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
  }
}
