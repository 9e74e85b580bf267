package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import javax.imageio.ImageIO;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attacks, mistakes and broken files are rejected with a one-line message. */
class BadInputTest {
  private static final String EVIL = "<img src=x onerror=alert(1)>";

  @TempDir private Path folder;
  private Path images;
  private Studio studio;
  private Server server;
  private Client client;

  @BeforeEach
  void open() throws IOException {
    images = Files.createDirectories(folder.resolve("images"));
    for (int i = 0; i < 4; i++) {
      Files.write(images.resolve(i + ".png"), png(10 + i, 10));
    }
    studio = new Studio(folder.resolve("home"), Path.of(""), Clock.systemUTC());
    server = new Server(studio, "127.0.0.1", 0);
    client = new Client(server);
  }

  @AfterEach
  void close() {
    server.close();
    studio.close();
  }

  private void awaitRounds(Project project, int count) throws InterruptedException {
    for (int i = 0; studio.store().rounds().all(project.id()).size() < count; i++) {
      assertTrue(i < 600, "no model: " + studio.worker(project).state());
      Thread.sleep(20);
    }
  }

  private static byte[] png(int width, int height) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  /** Returns a small PNG file whose header claims the given size. */
  private static byte[] pngHeader(int width, int height) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    DataOutputStream header = new DataOutputStream(chunk);
    header.writeBytes("IHDR");
    header.writeInt(width);
    header.writeInt(height);
    header.write(new byte[] {8, 2, 0, 0, 0});
    CRC32 crc = new CRC32();
    crc.update(chunk.toByteArray());
    out.writeInt(13);
    out.write(chunk.toByteArray());
    out.writeInt((int) crc.getValue());
    return bytes.toByteArray();
  }

  private List<String> create(String name, Path source, String... classes) {
    return studio.create(
        name,
        new SourceSpec(SourceSpec.Kind.IMAGES, source.toString(), "", ""),
        new ProjectOptions(ProjectOptions.FIXED, "alfamix", 2, 0, 0, 10, 1),
        List.of(classes));
  }

  @Test
  void skipsHugeAndInvalidPictures() throws Exception {
    Files.write(images.resolve("huge.png"), pngHeader(30_000, 30_000));
    Files.writeString(images.resolve("text.png"), "not a picture");
    Files.write(images.resolve("empty.jpg"), new byte[0]);
    List<String> skipped = create("birds", images, "a", "b");
    assertEquals(3, skipped.size(), skipped.toString());
    assertTrue(
        skipped.stream().anyMatch(message -> message.contains("30000 x 30000")), "" + skipped);
    assertTrue(
        skipped.stream().anyMatch(message -> message.contains("text.png: not an image")),
        "" + skipped);
    assertEquals(4, studio.store().projects().items(studio.project("birds").id()));
  }

  @Test
  void doesNotServeAPictureThatWasReplaced() throws Exception {
    create("birds", images, "a", "b");
    assertEquals(200, client.bytes("/api/projects/birds/items/0/content").statusCode());
    Files.writeString(images.resolve("0.png"), "<script>alert(1)</script>");
    assertTrue(
        client
            .refused(409, client.request("/api/projects/birds/items/0/content"))
            .contains("0.png"));
    Files.write(images.resolve("0.png"), pngHeader(30_000, 30_000));
    assertTrue(
        client
            .refused(409, client.request("/api/projects/birds/items/0/content?side=100"))
            .contains("30000 x 30000"));
  }

  @Test
  void rejectsLinksOutOfTheFolder() throws Exception {
    Path secret = folder.resolve("secret.png");
    Files.write(secret, png(5, 5));
    Files.createSymbolicLink(images.resolve("link.png"), secret);
    create("birds", images, "a", "b");
    List<String> names =
        studio.store().projects().allItems(studio.project("birds").id()).stream()
            .map(item -> item.name())
            .toList();
    assertFalse(names.contains("link.png"), "the link must be skipped: " + names);
    assertEquals(200, client.bytes("/api/projects/birds/items/0/content").statusCode());
    Files.delete(images.resolve("2.png"));
    Files.createSymbolicLink(images.resolve("2.png"), secret);
    int item = names.indexOf("2.png");
    assertTrue(
        client
            .refused(409, client.request("/api/projects/birds/items/" + item + "/content"))
            .contains("outside the project's folder"),
        "a file that was replaced by a link");
  }

  @Test
  void ignoresPathsInAZip() throws Exception {
    Path zip = folder.resolve("birds.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (String name : List.of("ok.png", "../../evil.png", "/absolute.png")) {
        out.putNextEntry(new ZipEntry(name));
        out.write(png(8, 8));
        out.closeEntry();
      }
    }
    create("zipped", zip, "a", "b");
    int size = studio.store().projects().items(studio.project("zipped").id());
    for (int i = 0; i < size; i++) {
      assertEquals(200, client.bytes("/api/projects/zipped/items/" + i + "/content").statusCode());
    }
    assertFalse(Files.exists(folder.getParent().resolve("evil.png")));
  }

  @Test
  void rejectsPathTraversal() throws Exception {
    create("birds", images, "a", "b");
    for (String path :
        List.of(
            "/api/projects/birds/items/..%2f..%2fsecret.png/content",
            "/api/projects/birds/items/0%2f..%2f..%2f/content",
            "/assets/..%2fstudio.db",
            "/assets/%2e%2e/studio.db",
            "/api/projects/..%2f..%2fetc/items/0/content")) {
      int status = client.status(client.request(path));
      assertTrue(status == 400 || status == 404, path + " " + status);
    }
  }

  @Test
  void escapesMarkupInNames() throws Exception {
    Path named = Files.createDirectories(folder.resolve("named"));
    for (int i = 0; i < 3; i++) {
      Files.write(named.resolve("<b onmouseover=alert(1)>" + i + ".png"), png(8, 8));
    }
    create("birds", named, EVIL, "b");
    Project project = studio.project("birds");
    client.ok(
        client.post(
            "/api/projects/birds/labels",
            "{'annotator':'<script>','item':0,'class':%d,'request':'r'}"
                .formatted(studio.store().projects().classes(project.id()).get(0).id())));
    for (String page :
        List.of(
            "/",
            "/p/birds",
            "/p/birds/grid",
            "/p/birds/items",
            "/p/birds/items/0",
            "/p/birds/dashboard")) {
      String html = client.text(page);
      assertFalse(html.contains("<img src=x"), page);
      assertFalse(html.contains("<b onmouse"), page);
      assertFalse(html.contains("<script>"), page);
    }
    assertTrue(
        client.text("/p/birds/items/0").contains("&lt;img src=x"), "the name is shown literally");
    assertThrows(
        InvalidRequestException.class,
        () -> create("../birds", images, "a"),
        "the name of a project is not a path");
  }

  @Test
  void requiresATokenOnOtherAddresses() throws Exception {
    try (Server open = new Server(studio, "0.0.0.0", 0)) {
      Client other = new Client(open);
      assertTrue(other.refused(401, other.request("/api/projects")).contains("token"));
      assertEquals(401, other.status(other.request("/")));
      assertEquals(401, other.status(other.request("/assets/studio.js")));
      assertEquals(401, other.status(other.request("/api/projects?token=wrong")));
      assertEquals(401, other.status(other.request("/").header("Cookie", "alfamix-token=wrong")));
      assertEquals(32, open.token().length());
      assertEquals(
          200,
          other.status(
              other.request("/api/projects").header("Authorization", "Bearer " + open.token())));
      var first = other.send(other.request("/?token=" + open.token()));
      assertEquals(200, first.statusCode());
      String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
      assertTrue(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), cookie);
      assertEquals(200, other.status(other.request("/").header("Cookie", cookie.split(";")[0])));
    }
    assertEquals("", server.token(), "no token on the loopback address");
  }

  @Test
  void rejectsRequestsFromOtherSites() throws Exception {
    create("birds", images, "a", "b");
    String path = "/api/projects/birds/labels";
    assertTrue(
        client
            .refused(403, client.bare(path).POST(BodyPublishers.ofString("{}")))
            .contains("header"));
    assertTrue(
        client
            .refused(403, client.post(path, "{}").header("Origin", "http://evil.example"))
            .contains("another site"));
    assertEquals(403, client.status(client.post(path, "{}").header("Origin", "null")));
    var page = client.send(client.request("/p/birds"));
    Map<String, List<String>> headers = page.headers().map();
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
    assertTrue(policy.contains("script-src 'self'") && !policy.contains("unsafe"), policy);
    assertTrue(policy.contains("frame-ancestors 'none'"), policy);
    assertEquals(List.of("nosniff"), headers.get("x-content-type-options"));
    assertFalse(page.body().matches("(?s).*<script(?! src=).*"), "inline script");
    assertFalse(page.body().matches("(?s).*\\son\\w+=.*"), "inline event handler");
    assertFalse(page.body().contains(" style="), "inline style");
  }

  @Test
  void reportsUnknownAndInvalidValues() throws Exception {
    create("birds", images, "a", "b");
    assertEquals(
        "There is no project 'x'.", client.refused(404, client.request("/api/projects/x")));
    assertEquals(
        "There is no item '99'.",
        client.refused(404, client.request("/api/projects/birds/items/99")));
    assertEquals(
        "There is no item '-1x'.",
        client.refused(404, client.request("/api/projects/birds/items/-1x")));
    String labels = "/api/projects/birds/labels";
    assertEquals(
        "There is no class 77.",
        client.refused(
            404, client.post(labels, "{'annotator':'a','item':0,'class':77,'request':'r'}")));
    assertTrue(
        client
            .refused(400, client.post(labels, "{'annotator':'a','item':0,'class':1}"))
            .contains("request"));
    assertTrue(
        client
            .refused(400, client.post(labels, "{'annotator':'','item':0,'class':1,'request':'r'}"))
            .contains("annotator"));
    assertTrue(
        client
            .refused(
                400, client.post(labels, "{'annotator':'a','item':0,'action':'eat','request':'r'}"))
            .contains("expected label"));
    String someClass =
        String.valueOf(studio.store().projects().classes(studio.project("birds").id()).get(0).id());
    client.refused(
        400,
        client.post(
            labels,
            "{'annotator':'a','item':0,'class':%s,'request':'r','count':21}".formatted(someClass)));
    assertEquals(
        0,
        studio.store().ledger().countLabels(studio.project("birds").id()),
        "a rejected answer is not stored");
    for (String path : new String[] {"/p/birds/classes", "/p/birds/options"}) {
      assertTrue(
          client
              .refused(
                  400,
                  client
                      .request(path)
                      .header("Content-Type", "application/x-www-form-urlencoded")
                      .POST(BodyPublishers.ofString("x=5")))
              .contains("is"));
    }
    assertEquals(400, client.status(client.post(labels, "no json")));
    assertEquals(400, client.status(client.post(labels, "[".repeat(100_000))));
    assertEquals(
        400, client.status(client.request("/api/projects/birds/items/0/content?side=1000000000")));
    assertTrue(client.send(client.request("/p/nothing")).body().contains("There is no project"));
    assertEquals(0, studio.store().ledger().countLabels(studio.project("birds").id()));
  }

  @Test
  void rejectsLongRequests() throws Exception {
    create("birds", images, "a", "b");
    int status =
        client.status(
            client
                .request("/api/projects/birds/import")
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofByteArray(new byte[9 << 20])));
    assertEquals(413, status);
  }

  @Test
  void theFirstAnswerCountsAfterAReservationEnds() throws Exception {
    create("birds", images, "a", "b");
    Project project = studio.project("birds");
    long someClass = studio.store().projects().classes(project.id()).get(0).id();
    int item = next("ada");
    String body = "{'annotator':'%s','item':%d,'class':%d,'request':'%s'}";
    assertTrue(
        client
            .refused(
                409,
                client.post(
                    "/api/projects/birds/labels", body.formatted("bob", item, someClass, "b1")))
            .contains("another annotator"));
    studio.store().leases().release(project.id(), "ada");
    client.ok(
        client.post("/api/projects/birds/labels", body.formatted("bob", item, someClass, "b2")));
    assertTrue(
        client
            .refused(
                409,
                client.post(
                    "/api/projects/birds/labels", body.formatted("ada", item, someClass, "a1")))
            .contains("already has a label"));
    assertEquals(1, studio.store().ledger().history(project.id(), item).size());
  }

  private int next(String who) throws Exception {
    JsonTree items =
        client.ok(client.post("/api/projects/birds/next", "{'annotator':'%s'}".formatted(who)));
    return items.get("items").list().get(0).get("item").integer();
  }

  @Test
  void importsAFileOfLabelsAtomically() throws Exception {
    create("birds", images, "a", "b");
    String path = "/api/projects/birds/import";
    for (Map.Entry<String, String> bad :
        Map.of(
                "item,label\n0,a\n9,b\n",
                "labels.csv, line 3: item is '9', expected 0 to 3.",
                "item,label\n0,a\n0,b\n",
                "duplicate item 0",
                "name,label\nnothing.png,a\n",
                "the project has no item 'nothing.png'",
                "item,class\n0,a\n",
                "expected the columns item or name, and label; found item, class",
                "item,label\n",
                "no labels found",
                "item,label\n0," + "x".repeat(100) + "\n",
                "Invalid class name")
            .entrySet()) {
      String message =
          client.refused(
              400,
              client
                  .request(path)
                  .header("Content-Type", "text/csv")
                  .POST(BodyPublishers.ofString(bad.getKey())));
      assertTrue(message.contains(bad.getValue()), message);
      assertFalse(message.contains(System.getProperty("java.io.tmpdir")), message);
      assertFalse(message.contains("\n"), message);
    }
    assertEquals(0, studio.store().ledger().countLabels(studio.project("birds").id()));
    assertEquals(2, studio.store().projects().classes(studio.project("birds").id()).size());
    String csv = "name,label\n0.png,a\n\"1.png\",\"new, class\"\n";
    client.ok(
        client
            .request(path)
            .header("Content-Type", "text/csv")
            .POST(BodyPublishers.ofByteArray(csv.getBytes(StandardCharsets.UTF_8))));
    assertEquals(2, studio.store().ledger().countLabels(studio.project("birds").id()));
    assertEquals(3, studio.store().projects().classes(studio.project("birds").id()).size());
  }

  @Test
  void reportsAChangedSource() throws Exception {
    create("birds", images, "a", "b");
    Files.delete(images.resolve("3.png"));
    assertTrue(
        client
            .refused(409, client.request("/api/projects/birds/items/3/content"))
            .contains("3.png"));
    assertTrue(client.text("/p/birds/items/3").contains("3.png"), "the page still opens");
    Path table = folder.resolve("table.csv");
    Files.writeString(table, "x\n1\n2\n3\n");
    studio.create(
        "rows",
        new SourceSpec(SourceSpec.Kind.TABLE, table.toString(), "", ""),
        ProjectOptions.DEFAULT,
        List.of("a", "b"));
    Files.writeString(table, "x\n1\n2\n");
    assertTrue(
        client
            .refused(409, client.request("/api/projects/rows"))
            .contains("table.csv has changed since the project was created"));
    String body = "{'annotator':'a','item':0,'class':%d,'request':'r'}";
    long id = studio.store().projects().classes(studio.project("rows").id()).get(0).id();
    client.refused(409, client.post("/api/projects/rows/labels", body.formatted(id)));
    assertEquals(
        0,
        studio.store().ledger().countLabels(studio.project("rows").id()),
        "a rejected answer is not stored");
  }

  /** The header is valid, but the rest is missing; the model continues with the other pictures. */
  @Test
  void continuesWithoutATruncatedPicture() throws Exception {
    for (int i = 4; i < 12; i++) {
      Files.write(images.resolve(i + ".png"), png(10 + i, 10));
    }
    byte[] whole = png(60, 60);
    Files.write(images.resolve("cut.png"), Arrays.copyOf(whole, whole.length / 2));
    create("birds", images, "a", "b");
    Project project = studio.project("birds");
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    studio.worker(project);
    awaitRounds(project, 1);
    for (int i = 0; i < 8; i++) {
      int item = studio.next(project, "ada", 1, List.of()).get(0);
      studio.save(project, List.of(Answer.label(item, classes.get(i % 2).id(), "ada", "r" + i)));
    }
    awaitRounds(project, 2);
    assertEquals("", studio.worker(project).state().failure());
    List<String> unreadable = studio.worker(project).unreadable();
    assertEquals(1, unreadable.size(), unreadable.toString());
    assertTrue(unreadable.get(0).contains("cut.png"), unreadable.toString());
    assertTrue(client.text("/p/birds").contains("1 item cannot be read"));
  }

  @Test
  void limitsTheSizeOfUploads() throws Exception {
    create("birds", images, "a", "b");
    byte[] head =
        ("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"l.csv\"\r\n"
                + "Content-Type: text/csv\r\n\r\nitem,label\n")
            .getBytes(StandardCharsets.UTF_8);
    byte[] body = Arrays.copyOf(head, 30 << 20);
    var upload =
        client
            .request("/p/birds/import")
            .header("Content-Type", "multipart/form-data; boundary=x")
            .POST(BodyPublishers.ofByteArray(body));
    int status = client.status(upload);
    assertTrue(
        status == 413 || status == 400, "expected a rejected upload, found status " + status);
  }

  @Test
  void exportsClassesToDistinctFolders() throws Exception {
    create("birds", images, "a/b", "a_b", "A_B", "..");
    Project project = studio.project("birds");
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    for (int i = 0; i < 4; i++) {
      studio.save(project, List.of(Answer.label(i, classes.get(i).id(), "ada", "r" + i)));
    }
    List<String> names = new ArrayList<>();
    try (ZipInputStream zip =
        new ZipInputStream(
            new ByteArrayInputStream(
                client.bytes("/api/projects/birds/export?format=folders").body()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    assertEquals(List.of("a_b/0.png", "a_b-2/1.png", "A_B-3/2.png", "_/3.png"), names);
  }

  @Test
  void servesTheItemsOfARecreatedProject() throws Exception {
    create("birds", images, "a", "b");
    byte[] before = client.bytes("/api/projects/birds/items/0/content").body();
    assertEquals(204, client.status(client.request("/api/projects/birds").DELETE()));
    Path others = Files.createDirectories(folder.resolve("others"));
    Files.write(others.resolve("0.png"), png(99, 9));
    create("birds", others, "a", "b");
    byte[] after = client.bytes("/api/projects/birds/items/0/content").body();
    assertFalse(Arrays.equals(before, after));
    assertEquals(404, client.status(client.request("/api/projects/birds/items/1/content")));
  }

  /** An annotator reserves a whole batch and leaves; the labels of others still lead to a model. */
  @Test
  void trainsAlthoughABatchIsReserved() throws Exception {
    StringBuilder rows = new StringBuilder("x\n");
    for (int i = 0; i < 60; i++) {
      rows.append(i).append('\n');
    }
    Path table = Files.writeString(folder.resolve("rows.csv"), rows);
    studio.create(
        "rows",
        new SourceSpec(SourceSpec.Kind.TABLE, table.toString(), "", ""),
        new ProjectOptions(ProjectOptions.FIXED, "alfamix", 4, 0, 0, 10, 1),
        List.of("a", "b"));
    Project project = studio.project("rows");
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    studio.worker(project);
    awaitRounds(project, 1);
    assertEquals(4, studio.next(project, "gone", 4, List.of()).size());
    for (int i = 0; i < 8; i++) {
      int item = studio.next(project, "ada", 1, List.of()).get(0);
      studio.save(
          project, List.of(Answer.label(item, classes.get(item / 30).id(), "ada", "r" + i)));
    }
    awaitRounds(project, 2);
  }
}
