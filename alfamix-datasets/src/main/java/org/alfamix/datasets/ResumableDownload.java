package org.alfamix.datasets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Downloads a file by HTTP and resumes a download that was interrupted.
 *
 * <p>Bytes are kept in {@code NAME.part} until the file is complete. The server's entity tag lies
 * beside it, so that the rest is requested only of the file that the first part came from.
 */
final class ResumableDownload {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_REDIRECTS = 10;
  private static final int MAX_PORT = 65_535;
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path folder;
  private final Fetcher.Listener listener;
  private final Function<String, Optional<String>> authorization;

  /**
   * @param folder where partial files are kept
   * @param authorization returns the header that authorizes requests to an address, if there is one
   */
  ResumableDownload(
      Path folder, Fetcher.Listener listener, Function<String, Optional<String>> authorization) {
    this.folder = folder;
    this.listener = listener;
    this.authorization = authorization;
  }

  /** Returns the complete file, which has the given name in the folder. */
  Path get(String address, String name) throws IOException {
    Path complete = folder.resolve(name);
    if (Files.exists(complete)) {
      return complete;
    }
    Path partial = folder.resolve(name + ".part");
    Path tag = folder.resolve(name + ".etag");
    long offset = Files.exists(partial) ? Files.size(partial) : 0;
    listener.begin(
        offset > 0
            ? String.format(Locale.ROOT, "resuming %s after %,d bytes", name, offset)
            : "downloading " + name);
    HttpURLConnection connection = request(address, offset, tag);
    try {
      if (!isComplete(connection, partial, offset)) {
        save(connection, partial, tag, offset);
      }
    } finally {
      connection.disconnect();
    }
    Files.deleteIfExists(tag);
    return Files.move(partial, complete, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns whether the server says that there is nothing after the bytes we have. */
  private static boolean isComplete(HttpURLConnection connection, Path partial, long offset)
      throws IOException {
    if (connection.getResponseCode() != 416 || offset == 0) {
      return false;
    }
    if (("bytes */" + offset).equals(connection.getHeaderField("Content-Range"))) {
      return true;
    }
    Files.delete(partial);
    throw new IOException("the partial download has another size; fetch again");
  }

  private void save(HttpURLConnection connection, Path partial, Path tag, long offset)
      throws IOException {
    int status = connection.getResponseCode();
    if (status != 200 && status != 206) {
      throw new IOException("HTTP status " + status);
    }
    String range = String.valueOf(connection.getHeaderField("Content-Range"));
    boolean resumed = status == 206 && range.startsWith("bytes " + offset + "-");
    if (status == 206 && !resumed) {
      Files.deleteIfExists(partial);
      throw new IOException("the server sent another range than requested: " + range);
    }
    String entityTag = connection.getHeaderField("ETag");
    if (entityTag != null) {
      Files.writeString(tag, entityTag);
    } else {
      Files.deleteIfExists(tag);
    }
    long length = connection.getContentLengthLong();
    long before = resumed ? offset : 0;
    long total = length < 0 ? -1 : before + length;
    try (InputStream body = connection.getInputStream()) {
      append(body, partial, before, total);
    }
  }

  private void append(InputStream body, Path partial, long before, long total) throws IOException {
    long done = before;
    try (OutputStream out =
        Files.newOutputStream(
            partial,
            StandardOpenOption.CREATE,
            before > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read; (read = body.read(buffer)) >= 0; ) {
        write(out, buffer, read, partial);
        done += read;
        listener.progress(done, total);
      }
    }
    if (total >= 0 && done < total) {
      throw new IOException(
          "the connection was lost after %d of %d bytes; fetch again to resume"
              .formatted(done, total));
    }
  }

  /** Writes with an exception of its own, so that a full disk differs from a lost connection. */
  static void write(OutputStream out, byte[] buffer, int count, Path file)
      throws FileSystemException {
    try {
      out.write(buffer, 0, count);
    } catch (IOException e) {
      FileSystemException ours = new FileSystemException(file.toString(), null, e.getMessage());
      ours.initCause(e);
      throw ours;
    }
  }

  /** Requests a file from an offset on; if it has changed since, the server sends all of it. */
  private HttpURLConnection request(String address, long offset, Path tag) throws IOException {
    String at = address;
    for (int hop = 0; hop < MAX_REDIRECTS; hop++) {
      HttpURLConnection connection = open(at);
      connection.setInstanceFollowRedirects(false);
      authorization
          .apply(at)
          .ifPresent(value -> connection.setRequestProperty("Authorization", value));
      if (offset > 0) {
        connection.setRequestProperty("Range", "bytes=" + offset + "-");
        if (Files.exists(tag)) {
          connection.setRequestProperty("If-Range", Files.readString(tag));
        }
      }
      int status = connection.getResponseCode();
      String next = connection.getHeaderField("Location");
      if (status < 300 || status >= 400 || next == null) {
        return connection;
      }
      connection.disconnect();
      at = redirected(at, next).toString();
    }
    throw new IOException("too many redirects (more than " + MAX_REDIRECTS + ")");
  }

  /** Opens a connection that gives up when the server is silent for {@link #TIMEOUT}. */
  static HttpURLConnection open(String address) throws IOException {
    URL url;
    try {
      url = URI.create(address).toURL();
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + address + "' is not a valid address", e);
    }
    if (url.getHost().isEmpty() || url.getPort() > MAX_PORT) {
      throw new IOException("'" + address + "' is not a valid address");
    }
    if (!(url.openConnection() instanceof HttpURLConnection connection)) {
      throw new IOException("'" + address + "' is not an HTTP address");
    }
    connection.setConnectTimeout((int) TIMEOUT.toMillis());
    connection.setReadTimeout((int) TIMEOUT.toMillis());
    return connection;
  }

  /** Returns the target of a redirect, which must not leave https. */
  static URI redirected(String from, String location) throws IOException {
    URI target;
    try {
      target = URI.create(from).resolve(location);
    } catch (IllegalArgumentException e) {
      throw new IOException("redirects to '" + location + "', which is not a valid address", e);
    }
    if (from.startsWith("https:") && !"https".equals(target.getScheme())) {
      throw new IOException(
          "redirects from https to %s, which is not encrypted".formatted(target.getScheme()));
    }
    return target;
  }
}
