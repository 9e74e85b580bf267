package org.alfamix.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Stream;

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

  /** Of a file, or of all files that lie in a folder. */
  public static String ofAll(Path path) {
    if (!Files.isDirectory(path)) {
      return of(path).sha256();
    }
    MessageDigest all = begin();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.update((file.getFileName() + " " + of(file).sha256() + "\n").getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
    return HexFormat.of().formatHex(all.digest());
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
