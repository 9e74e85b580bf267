package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipInputStream;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiTest {
  @TempDir private Path folder;
  private Studio studio;
  private Server server;
  private Client client;
  private final int[] truth = Datasets.open("digits", Path.of("")).pool().labels();

  @BeforeEach
  void open() {
    studio = new Studio(folder, Path.of(""), Clock.systemUTC());
    if (studio.store().projects().all().isEmpty()) {
      studio.create(
          "digits",
          new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
          ProjectOptions.DEFAULT,
          IntStream.range(0, 10).mapToObj(String::valueOf).toList());
    }
    server = new Server(studio, "127.0.0.1", 0);
    client = new Client(server);
  }

  @AfterEach
  void close() {
    server.close();
    studio.close();
  }

  private JsonTree next() throws Exception {
    return client.ok(client.post("/api/projects/digits/next", "{'annotator':'ada','count':3}"));
  }

  private Map<String, Long> classes() throws Exception {
    Map<String, Long> classes = new HashMap<>();
    for (JsonTree each : client.ok(client.request("/api/projects/digits")).get("classes").list()) {
      classes.put(each.get("name").text(), (long) each.get("id").number());
    }
    return classes;
  }

  private JsonTree label(int item, long classId) throws Exception {
    return client.ok(
        client.post(
            "/api/projects/digits/labels",
            "{'annotator':'ada','count':3,'item':%d,'class':%d,'request':'r-%d'}"
                .formatted(item, classId, item)));
  }

  private List<JsonTree> rounds() throws Exception {
    return client.ok(client.request("/api/projects/digits/rounds")).get("rounds").list();
  }

  private void awaitReady(int rounds) throws Exception {
    for (int i = 0; i < 600; i++) {
      JsonTree project = client.ok(client.request("/api/projects/digits"));
      assertEquals("", project.get("failure").text());
      if (!project.get("busy").flag() && rounds().size() >= rounds) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("timed out waiting for " + rounds + " rounds");
  }

  @Test
  void labelsUntilThereIsAModel() throws Exception {
    client.ok(client.request("/api/projects/digits"));
    awaitReady(1);
    Map<String, Long> classes = classes();
    JsonTree items = next();
    int labelled = 0;
    while (labelled < 75) {
      int item = items.get("items").list().get(0).get("item").integer();
      items = label(item, classes.get(String.valueOf(truth[item])));
      labelled++;
      if (labelled % 25 == 0) {
        awaitReady(1 + labelled / 25);
        items = next();
      }
    }
    List<JsonTree> rounds = rounds();
    assertTrue(rounds.size() >= 4, rounds.size() + " rounds");
    JsonTree last = rounds.get(rounds.size() - 1);
    assertEquals("alfamix", last.get("method").text());
    assertTrue(last.get("tested").integer() >= 10, "number of labelled held-out items");
    assertTrue(
        last.get("correct").integer() > last.get("tested").integer() / 2,
        "expected an accuracy above 50 %");
    JsonTree first = items.get("items").list().get(0);
    assertTrue(first.get("reason").text().contains("flips to"), first.get("reason").text());
    assertFalse(first.get("near").list().isEmpty());
    assertTrue(
        client.ok(client.request("/api/projects/digits/map")).get("points").list().size() > 500);
    HttpResponse<byte[]> picture = client.bytes("/api/projects/digits/items/3/content");
    assertEquals("image/png", picture.headers().firstValue("Content-Type").orElse(""));
    close();
    open();
    assertEquals(
        75, client.ok(client.request("/api/projects/digits/labels")).get("labels").list().size());
    assertEquals(rounds.size(), rounds().size());
  }

  @Test
  void exportsAndImportsLabels() throws Exception {
    Map<String, Long> classes = classes();
    int first = next().get("items").list().get(0).get("item").integer();
    label(first, classes.get(String.valueOf(truth[first])));
    client.ok(
        client.post(
            "/api/projects/digits/labels",
            "{'annotator':'ada','again':true,'items':[3,4],'action':'unclear','request':'many'}"));
    String csv = client.text("/api/projects/digits/export");
    assertTrue(csv.startsWith("item,name,label,unclear,test,annotator,at\n"), csv);
    assertEquals(4, csv.split("\n").length);
    String name =
        studio.store().projects().item(studio.project("digits").id(), first).orElseThrow().name();
    assertTrue(csv.contains("%d,%s,%d,no,".formatted(first, name, truth[first])), csv);
    assertTrue(csv.contains(",,yes,"), "unclear items have no label");
    for (String line : client.text("/api/projects/digits/export?format=jsonl").split("\n")) {
      assertEquals("ada", JsonTree.parse("line", line).get("annotator").text());
    }
    JsonTree tasks =
        JsonTree.parse(
            Path.of("tasks"), "", client.text("/api/projects/digits/export?format=label-studio"));
    JsonTree task =
        tasks.list().stream()
            .filter(each -> each.get("id").integer() == first + 1)
            .findFirst()
            .orElseThrow();
    JsonTree result = task.get("annotations").list().get(0).get("result").list().get(0);
    assertEquals("choices", result.get("type").text());
    assertEquals(
        String.valueOf(truth[first]), result.get("value").get("choices").list().get(0).text());
    try (ZipInputStream zip =
        new ZipInputStream(
            new ByteArrayInputStream(
                client.bytes("/api/projects/digits/export?format=folders").body()))) {
      assertTrue(zip.getNextEntry().getName().startsWith(truth[first] + "/"));
      assertEquals(
          "image/png", org.alfamix.datasets.ImageFile.of("x", zip.readAllBytes(), 1 << 20).type());
      assertNull(zip.getNextEntry(), "unclear items have no folder");
    }
    client.refused(400, client.request("/api/projects/digits/export?format=xml"));
    // The exported file can be imported.
    studio.create(
        "copy",
        new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
        ProjectOptions.DEFAULT,
        List.of());
    client.ok(
        client
            .request("/api/projects/copy/import?annotator=ada")
            .header("Content-Type", "text/csv")
            .POST(BodyPublishers.ofString(csv)));
    JsonTree copy = client.ok(client.request("/api/projects/copy"));
    assertEquals(1, copy.get("labelled").integer());
    assertEquals(
        String.valueOf(truth[first]), copy.get("classes").list().get(0).get("name").text());
  }

  @Test
  void changesClassesOptionsAndLabels() throws Exception {
    client.send(client.post("/api/projects/digits/classes", "{'name':'none of them'}"));
    Map<String, Long> classes = classes();
    assertEquals(11, classes.size());
    client.refused(409, client.post("/api/projects/digits/classes", "{'name':'3'}"));
    var rename =
        client
            .request("/api/projects/digits/classes/" + classes.get("none of them"))
            .PUT(BodyPublishers.ofString("{\"name\":\"other\"}"));
    assertEquals(204, client.status(rename));
    assertTrue(classes().containsKey("other"));
    label(7, classes.get("3"));
    client.refused(
        409,
        client.post(
            "/api/projects/digits/labels",
            "{'annotator':'ada','item':7,'class':%d,'request':'x'}".formatted(classes.get("4"))));
    client.ok(
        client.post(
            "/api/projects/digits/labels",
            "{'annotator':'bob','item':7,'class':%d,'again':true,'request':'y'}"
                .formatted(classes.get("4"))));
    List<JsonTree> changes =
        client.ok(client.request("/api/projects/digits/items/7/history")).get("changes").list();
    assertEquals(
        List.of("ada", "bob"), changes.stream().map(each -> each.get("annotator").text()).toList());
    JsonTree undone =
        client.ok(client.post("/api/projects/digits/undo", "{'annotator':'bob','request':'u'}"));
    assertEquals(7, undone.get("items").list().get(0).integer());
    assertEquals(
        classes.get("3"),
        (long) client.ok(client.request("/api/projects/digits/items/7")).get("class").number());
    String options =
        "{'features':'fixed','strategy':'margin','budget':5,'trainEvery':0,'testEvery':0,"
            + "'leaseMinutes':1,'seed':'1'}";
    var set =
        client
            .request("/api/projects/digits/options")
            .PUT(BodyPublishers.ofString(options.replace('\'', '"')));
    assertEquals(204, client.status(set));
    assertEquals(
        "margin",
        client.ok(client.request("/api/projects/digits")).get("options").get("strategy").text());
    assertTrue(
        client
            .refused(
                400,
                client
                    .request("/api/projects/digits/options")
                    .PUT(
                        BodyPublishers.ofString(
                            options.replace("margin", "magic").replace('\'', '"'))))
            .contains("strategy is 'magic'"));
    assertEquals(204, client.status(client.request("/api/projects/digits").DELETE()));
    assertEquals(404, client.status(client.request("/api/projects/digits")));
  }

  @Test
  void updatesTheDashboardWhenItHasChanged() throws Exception {
    client.ok(client.request("/api/projects/digits"));
    awaitReady(1);
    String page = client.text("/p/digits/dashboard");
    String progress = page.replaceAll("(?s).*hx-get=\"([^\"]*progress[^\"]*)\".*", "$1");
    assertEquals(204, client.status(client.request(progress)));
    label(3, classes().get("3"));
    assertEquals(200, client.status(client.request(progress)));
  }
}
