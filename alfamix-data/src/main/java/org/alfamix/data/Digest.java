package org.alfamix.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What tells some bytes from others.
 *
 * @param sha256 in hexadecimal
 * @param bytes how many there are
 */
public record Digest(String sha256, long bytes) {

  /** Of a whole file. */
  public static Digest of(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Of all that a stream has. */
  public static Digest of(InputStream in) throws IOException {
    MessageDigest digest = begin();
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      digest.update(buffer, 0, count);
      bytes += count;
    }
    return new Digest(HexFormat.of().formatHex(digest.digest()), bytes);
  }

  /** A digest to be fed piece by piece. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
