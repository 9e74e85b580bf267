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
 * A file of a data set, or a folder if the name ends in a slash. An idx file may be gzipped, with
 * {@code .gz} appended to its name; its size and checksum still refer to the uncompressed content.
 *
 * @param size size in bytes, or {@link #UNKNOWN}
 * @param sha256 the checksum or its known first digits; null if unknown
 */
public record DataFile(String name, long size, String sha256) {
  /** The size of a file whose size is not known. */
  public static final long UNKNOWN = -1;

  /** Returns the path of the file in a folder, plain or gzipped; empty if it does not exist. */
  public Optional<Path> in(Path folder) {
    Path plain = folder.resolve(name);
    if (isFolder()) {
      return Files.isDirectory(plain) ? Optional.of(plain) : Optional.empty();
    }
    Path gzipped = folder.resolve(name + ".gz");
    if (Files.isRegularFile(plain)) {
      return Optional.of(plain);
    }
    return mayBeGzipped() && Files.isRegularFile(gzipped) ? Optional.of(gzipped) : Optional.empty();
  }

  private boolean isFolder() {
    return name.endsWith("/");
  }

  /** Only idx files, whose names have no extension: their readers decompress on the fly. */
  private boolean mayBeGzipped() {
    return name.indexOf('.') < 0;
  }

  /** Returns the paths of files that are known to be in a folder. */
  static List<Path> paths(Path folder, List<DataFile> files) {
    return files.stream().map(file -> file.in(folder).orElseThrow()).toList();
  }

  /** Returns the path of each file in an archive that has all of them in one folder. */
  static Map<String, String> members(List<DataFile> files, String within) {
    return files.stream().collect(Collectors.toMap(DataFile::name, file -> within + file.name()));
  }

  /**
   * Returns whether a file has the expected size and checksum.
   *
   * @throws DataException if the file cannot be read
   */
  boolean matches(Path file) {
    try {
      verify(file);
      return true;
    } catch (DataException e) {
      if (e.getCause() != null) {
        throw e; // an I/O error
      }
      return false;
    }
  }

  /** Returns the path of the recorded digest of a file without a published checksum. */
  private static Path digestFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".sha256");
  }

  private static Optional<String> recorded(Path file) throws IOException {
    Path record = digestFile(file);
    return Files.exists(record)
        ? Files.readString(record).lines().map(line -> line.split(" ")[0]).findFirst()
        : Optional.empty();
  }

  /**
   * Records the digest of a file without a published checksum, unless it is already recorded.
   *
   * @return the digest if it was recorded by this call
   */
  Optional<String> recordDigest(Path file) throws IOException {
    if (sha256 != null || isFolder() || Files.exists(digestFile(file))) {
      return Optional.empty();
    }
    String digest = Digest.of(file).sha256();
    // The format of sha256sum, which can verify it.
    AtomicFile.write(
        digestFile(file),
        out -> out.write((digest + "  " + file.getFileName() + "\n").getBytes(UTF_8)));
    return Optional.of(digest);
  }

  /**
   * Checks the size and checksum of a file.
   *
   * @throws DataException if one of them differs; the message contains both values
   */
  void verify(Path file) {
    if (isFolder()) {
      return;
    }
    boolean gzipped = !name.endsWith(".gz") && file.getFileName().toString().endsWith(".gz");
    try (InputStream in = Files.newInputStream(file);
        InputStream content = gzipped ? new GZIPInputStream(in, 1 << 16) : in) {
      Digest found = Digest.of(content);
      if (size != UNKNOWN && found.bytes() != size) {
        throw new DataException(
            "%s: the size is %d bytes, expected %d.".formatted(file, found.bytes(), size));
      }
      if (sha256 != null && !found.sha256().startsWith(sha256)) {
        throw new DataException(
            "%s: SHA-256 is %s, expected %s.".formatted(file, found.sha256(), sha256));
      }
      Optional<String> recorded = sha256 == null ? recorded(file) : Optional.empty();
      if (recorded.isPresent() && !found.sha256().equals(recorded.get())) {
        throw new DataException(
            "%s: SHA-256 is %s, expected %s, as recorded at first use. To accept the new file, delete %s."
                .formatted(file, found.sha256(), recorded.get(), digestFile(file)));
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
