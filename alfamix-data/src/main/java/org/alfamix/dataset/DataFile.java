package org.alfamix.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.alfamix.data.DataException;

/**
 * A file of a data set. It may lie there gzipped, under its name and {@code .gz}; its size and
 * checksum are those of its content then.
 *
 * @param size in bytes, or {@link #UNKNOWN}
 * @param sha256 null where no checksum is known
 */
public record DataFile(String name, long size, String sha256) {
  /** Of a size that nobody told. */
  public static final long UNKNOWN = -1;

  /** Where the file is in a folder, as it is or gzipped. */
  public Optional<Path> in(Path folder) {
    Path plain = folder.resolve(name);
    Path packed = folder.resolve(name + ".gz");
    return Files.isRegularFile(plain)
        ? Optional.of(plain)
        : Files.isRegularFile(packed) ? Optional.of(packed) : Optional.empty();
  }

  /** Fails where a file is not this one, and says what was found instead. */
  void verify(Path file) {
    boolean packed = !name.endsWith(".gz") && file.getFileName().toString().endsWith(".gz");
    try (InputStream in = Files.newInputStream(file);
        InputStream content = packed ? new GZIPInputStream(in, 1 << 16) : in) {
      MessageDigest digest = newDigest();
      byte[] buffer = new byte[1 << 16];
      long count = 0;
      for (int read; (read = content.read(buffer)) >= 0; count += read) {
        digest.update(buffer, 0, read);
      }
      if (size != UNKNOWN && count != size) {
        throw new DataException("%s: %d bytes, expected %d.".formatted(file, count, size));
      }
      String found = HexFormat.of().formatHex(digest.digest());
      if (sha256 != null && !found.equals(sha256)) {
        throw new DataException("%s: SHA-256 %s, expected %s.".formatted(file, found, sha256));
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java has SHA-256.", e);
    }
  }
}
