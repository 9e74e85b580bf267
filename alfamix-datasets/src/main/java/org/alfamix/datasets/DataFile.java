package org.alfamix.datasets;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;

/**
 * A file of a data set; a name that ends in a slash is that of a folder. An idx file may lie there
 * gzipped, under its name and {@code .gz}; its size and checksum are those of its content then.
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
    if (isFolder()) {
      return Files.isDirectory(plain) ? Optional.of(plain) : Optional.empty();
    }
    Path packed = folder.resolve(name + ".gz");
    if (Files.isRegularFile(plain)) {
      return Optional.of(plain);
    }
    return mayBePacked() && Files.isRegularFile(packed) ? Optional.of(packed) : Optional.empty();
  }

  private boolean isFolder() {
    return name.endsWith("/");
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

  /** Where the digest of a file is recorded that nobody has published one of. */
  private static Path record(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  private static Optional<String> recorded(Path file) throws IOException {
    Path record = record(file);
    return Files.exists(record)
        ? Files.readString(record).lines().map(line -> line.split(" ")[0]).findFirst()
        : Optional.empty();
  }

  /**
   * Records the digest of a file that nobody has published one of, unless that was done before.
   *
   * @return the digest, where it was recorded now
   */
  Optional<String> recordDigest(Path file) throws IOException {
    if (sha256 != null || isFolder() || Files.exists(record(file))) {
      return Optional.empty();
    }
    String digest = Digest.of(file).sha256();
    // As sha256sum writes and checks it.
    AtomicFile.write(
        record(file),
        out -> out.write((digest + "  " + file.getFileName() + "\n").getBytes(UTF_8)));
    return Optional.of(digest);
  }

  /** Fails where a file is not this one, and says what was found instead. */
  void verify(Path file) {
    if (isFolder()) {
      return;
    }
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
      Optional<String> recorded = sha256 == null ? recorded(file) : Optional.empty();
      if (recorded.isPresent() && !found.sha256().equals(recorded.get())) {
        throw new DataException(
            "%s: SHA-256 %s, expected %s as when it was first used; delete %s to accept it."
                .formatted(file, found.sha256(), recorded.get(), record(file)));
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
