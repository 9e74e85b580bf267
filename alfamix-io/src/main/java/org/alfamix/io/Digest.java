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
 * The checksum and the size of some content.
 *
 * @param sha256 the SHA-256 digest in hexadecimal
 * @param bytes number of bytes
 */
public record Digest(String sha256, long bytes) {

  /** Computes the digest of a file. */
  public static Digest of(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Computes the SHA-256 digest of a file, or of all files directly in a folder. */
  public static String ofAll(Path path) {
    if (!Files.isDirectory(path)) {
      return of(path).sha256();
    }
    MessageDigest all = newSha256();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.update((file.getFileName() + " " + of(file).sha256() + "\n").getBytes(UTF_8));
      }
    } catch (IOException e) {
      throw DataException.unreadable(path, e);
    }
    return HexFormat.of().formatHex(all.digest());
  }

  /** Computes the digest of the rest of a stream. */
  public static Digest of(InputStream in) throws IOException {
    MessageDigest digest = newSha256();
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      digest.update(buffer, 0, count);
      bytes += count;
    }
    return new Digest(HexFormat.of().formatHex(digest.digest()), bytes);
  }

  /** Returns a new SHA-256 digest that can be updated incrementally. */
  public static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform supports SHA-256.", e);
    }
  }
}
