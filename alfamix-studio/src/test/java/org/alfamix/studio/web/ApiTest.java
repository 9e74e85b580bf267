package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.alfamix.data.table.JsonTree;
import org.alfamix.dataset.DataSets;
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
  private final HttpClient client = HttpClient.newHttpClient();
  private final int[] truth = DataSets.open("digits", Path.of("")).pool().labels();

  @BeforeEach
  void open() {
    studio = new Studio(folder, Path.of(""), Clock.systemUTC());
    if (studio.store().projects().isEmpty()) {
      studio.create(
          "digits",
          new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
          ProjectOptions.DEFAULT,
          IntStream.range(0, 10).mapToObj(String::valueOf).toList());
    }
    server = new Server(studio, "127.0.0.1", 0);
  }

  @AfterEach
  void close() {
    server.close();
    studio.close();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header(Guard.HEADER, "test");
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private JsonTree ok(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = send(request);
    assertEquals(200, response.statusCode(), response.body());
    return JsonTree.parse(Path.of("answer"), "", response.body());
  }

  private static HttpRequest.BodyPublisher body(String json) {
    return BodyPublishers.ofString(json.replace('\'', '"'));
  }

  private JsonTree next() throws Exception {
    return ok(request("/api/projects/digits/next").POST(body("{'annotator':'ada','count':3}")));
  }

  private Map<String, Long> classes() throws Exception {
    Map<String, Long> classes = new HashMap<>();
    for (JsonTree each : ok(request("/api/projects/digits")).get("classes").list()) {
      classes.put(each.get("name").text(), (long) each.get("id").number());
    }
    return classes;
  }

  private JsonTree label(int item, long classId) throws Exception {
    return ok(
        request("/api/projects/digits/labels")
            .POST(
                body(
                    "{'annotator':'ada','count':3,'item':%d,'class':%d,'request':'r-%d'}"
                        .formatted(item, classId, item))));
  }

  private List<JsonTree> rounds() throws Exception {
    return ok(request("/api/projects/digits/rounds")).get("rounds").list();
  }

  private void awaitReady(int rounds) throws Exception {
    for (int i = 0; i < 600; i++) {
      JsonTree project = ok(request("/api/projects/digits"));
      assertEquals("", project.get("failure").text());
      if (!project.get("busy").flag() && rounds().size() >= rounds) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("it takes too long");
  }

  @Test
  void fromNothingToAModel() throws Exception {
    ok(request("/api/projects/digits"));
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
    assertTrue(last.get("tested").integer() >= 10, "held-out items were labelled, too");
    assertTrue(
        last.get("correct").integer() > last.get("tested").integer() / 2,
        "it has learnt something");
    JsonTree first = items.get("items").list().get(0);
    assertTrue(first.get("reason").text().contains("becomes"), first.get("reason").text());
    assertFalse(first.get("near").list().isEmpty());
    assertTrue(ok(request("/api/projects/digits/map")).get("points").list().size() > 500);
    HttpResponse<byte[]> picture =
        client.send(
            request("/api/projects/digits/items/3/content").build(), BodyHandlers.ofByteArray());
    assertEquals("image/png", picture.headers().firstValue("Content-Type").orElse(""));
    close();
    open();
    assertEquals(75, ok(request("/api/projects/digits/labels")).get("labels").list().size());
    assertEquals(rounds.size(), rounds().size());
  }

  @Test
  void strangersAreRefused() throws Exception {
    String labels = "/api/projects/digits/labels";
    HttpRequest.Builder without =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + labels))
            .POST(body("{}"));
    assertEquals(403, send(without).statusCode());
    assertEquals(
        403,
        send(request(labels).header("Origin", "http://evil.example").POST(body("{}")))
            .statusCode());
    assertEquals(404, send(request("/api/projects/nothing")).statusCode());
    assertEquals(404, send(request("/api/projects/digits/items/99999")).statusCode());
    assertEquals(404, send(request("/api/projects/digits/items/..%2f..%2fetc")).statusCode());
    assertEquals(400, send(request(labels).POST(body("{'item':1}"))).statusCode());
    assertEquals(400, send(request(labels).POST(body("no json"))).statusCode());
    HttpResponse<String> page = send(request("/api/projects"));
    assertTrue(
        page.headers().firstValue("Content-Security-Policy").orElse("").contains("script-src"));
  }
}
