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
 * Downloads a file by HTTP and resumes interrupted downloads.
 *
 * <p>Bytes are stored in {@code NAME.part} until the file is complete, together with the server's
 * entity tag, so that a download is only resumed if the file on the server has not changed.
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
   * @param folder the folder of partial files
   * @param authorization returns the authorization header for requests to an address, if any
   */
  ResumableDownload(
      Path folder, Fetcher.Listener listener, Function<String, Optional<String>> authorization) {
    this.folder = folder;
    this.listener = listener;
    this.authorization = authorization;
  }

  /** Downloads a file under the given name, unless the folder already contains it. */
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

  /** Returns whether the server confirms that the partial file has all bytes. */
  private static boolean isComplete(HttpURLConnection connection, Path partial, long offset)
      throws IOException {
    if (connection.getResponseCode() != 416 || offset == 0) {
      return false;
    }
    if (("bytes */" + offset).equals(connection.getHeaderField("Content-Range"))) {
      return true;
    }
    Files.delete(partial);
    throw new IOException(
        "the partial download does not match the file on the server; fetch again");
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
      throw new IOException("the server did not send the requested range, but " + range);
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

  /** Writes with a separate exception type, to tell a full disk from a lost connection. */
  static void write(OutputStream out, byte[] buffer, int count, Path file)
      throws FileSystemException {
    try {
      out.write(buffer, 0, count);
    } catch (IOException e) {
      FileSystemException failure = new FileSystemException(file.toString(), null, e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /** Requests a file starting at an offset; if it has changed, the server sends the whole file. */
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

  /** Opens a connection that fails if the server does not respond within {@link #TIMEOUT}. */
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
