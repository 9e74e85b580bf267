package org.alfamix.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.alfamix.data.DataException;
import org.alfamix.data.Digest;

/**
 * A file of a data set. An idx file may lie there gzipped, under its name and {@code .gz}; its size
 * and checksum are those of its content then.
 *
 * @param size in bytes, or {@link #UNKNOWN}
 * @param sha256 or as many of its first digits as are known; null where none are
 */
public record DataFile(String name, long size, String sha256) {
  /** Of a size that nobody told. */
  public static final long UNKNOWN = -1;

  /** Where the file is in a folder, as it is or gzipped. */
  public Optional<Path> in(Path folder) {
    Path plain = folder.resolve(name);
    Path packed = folder.resolve(name + ".gz");
    if (Files.isRegularFile(plain)) {
      return Optional.of(plain);
    }
    return mayBePacked() && Files.isRegularFile(packed) ? Optional.of(packed) : Optional.empty();
  }

  /** The readers of idx files, whose names have no ending, unpack on the way. */
  private boolean mayBePacked() {
    return name.indexOf('.') < 0;
  }

  /** Where files are that are known to be in a folder. */
  static List<Path> paths(Path folder, List<DataFile> files) {
    return files.stream().map(file -> file.in(folder).orElseThrow()).toList();
  }

  /** For each file its path in an archive that has all of them in one folder. */
  static Map<String, String> members(List<DataFile> files, String within) {
    return files.stream().collect(Collectors.toMap(DataFile::name, file -> within + file.name()));
  }

  /** Whether a file that can be read is this one. */
  boolean matches(Path file) {
    try {
      verify(file);
      return true;
    } catch (DataException e) {
      if (e.getCause() != null) {
        throw e; // it cannot be read
      }
      return false;
    }
  }

  /** Fails where a file is not this one, and says what was found instead. */
  void verify(Path file) {
    boolean packed = !name.endsWith(".gz") && file.getFileName().toString().endsWith(".gz");
    try (InputStream in = Files.newInputStream(file);
        InputStream content = packed ? new GZIPInputStream(in, 1 << 16) : in) {
      Digest found = Digest.of(content);
      if (size != UNKNOWN && found.bytes() != size) {
        throw new DataException("%s: %d bytes, expected %d.".formatted(file, found.bytes(), size));
      }
      if (sha256 != null && !found.sha256().startsWith(sha256)) {
        throw new DataException(
            "%s: SHA-256 %s, expected %s.".formatted(file, found.sha256(), sha256));
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
