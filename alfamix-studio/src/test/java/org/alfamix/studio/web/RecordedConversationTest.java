package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.table.JsonTree;
import org.alfamix.math.Kernels;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares every response of a REST session with a recording: labels, undo, three models, exports.
 * The build runs this class on the scalar kernels, whose results do not depend on the vector width
 * of the processor. {@code -Dalfamix.record=yes} updates the recording.
 */
class RecordedConversationTest {
  private static final Path RECORDING = Path.of("src/test/resources/recorded/conversation.txt");
  private static final Pattern SECONDS = Pattern.compile("\"(\\w*[sS]econds)\":[-0-9.E]+");

  @TempDir private Path folder;
  private final int[] truth = Datasets.open("digits", Path.of("")).pool().labels();
  private final StringBuilder transcript = new StringBuilder();
  private Client client;

  private JsonTree converse(String path, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer = client.send(request);
    assertEquals(200, answer.statusCode(), answer.body());
    String body = SECONDS.matcher(answer.body()).replaceAll("\"$1\":0").stripTrailing();
    transcript.append("> ").append(path).append('\n').append(body).append('\n');
    boolean json = answer.headers().firstValue("Content-Type").orElse("").contains("json");
    return json ? JsonTree.parse("answer", answer.body()) : null;
  }

  private JsonTree get(String path) throws Exception {
    return converse("GET " + path, client.request(path));
  }

  private JsonTree post(String path, String json) throws Exception {
    return converse("POST " + path + " " + json, client.post(path, json));
  }

  /** The response is not recorded: its next item depends on whether training has finished. */
  private void label(int item, String request) throws Exception {
    client.ok(
        client.post(
            "/api/projects/digits/labels",
            "{'annotator':'ada','count':1,'item':%d,'class':%d,'request':'%s'}"
                .formatted(item, 1 + truth[item], request)));
    awaitRounds(1);
  }

  /** Waits without recording, because the number of requests depends on the machine. */
  private void awaitRounds(int rounds) throws Exception {
    for (int i = 0; i < 1200; i++) {
      JsonTree project = client.ok(client.request("/api/projects/digits"));
      JsonTree response = client.ok(client.request("/api/projects/digits/rounds"));
      if (!project.get("busy").flag() && response.get("rounds").list().size() >= rounds) {
        return;
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no round " + rounds + " within a minute");
  }

  private void converse() throws Exception {
    client.ok(client.request("/api/projects/digits"));
    awaitRounds(1);
    // Training starts only on request; otherwise it would race with the next answer.
    String options =
        "{'features':'auto','strategy':'alfamix','budget':20,'trainEvery':1000,'testEvery':5,"
            + "'leaseMinutes':10,'seed':'1'}";
    String path = "/api/projects/digits/options";
    var put = client.request(path).PUT(BodyPublishers.ofString(options.replace('\'', '"')));
    assertEquals(204, client.status(put));
    get("/api/projects/digits");
    for (int round = 0; round < 3; round++) {
      for (int labels = 0; labels < 15; labels++) {
        JsonTree next = post("/api/projects/digits/next", "{'annotator':'ada','count':1}");
        int item = next.get("items").list().get(0).get("item").integer();
        int order = 15 * round + labels;
        label(item, "r-" + order);
        if (order == 10) {
          post("/api/projects/digits/undo", "{'annotator':'ada','request':'u-1'}");
          awaitRounds(1);
          label(item, "r-again");
        }
      }
      int status = client.status(client.post("/api/projects/digits/train", "{}"));
      assertEquals(202, status);
      awaitRounds(round + 2);
      get("/api/projects/digits/rounds");
    }
    get("/api/projects/digits");
    get("/api/projects/digits/labels");
    get("/api/projects/digits/export");
    get("/api/projects/digits/items/3/history");
  }

  @Test
  void responsesMatchTheRecording() throws Exception {
    assumeTrue(Kernels.description().startsWith("scalar"), "recorded on the scalar kernels");
    Clock clock = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    try (Studio studio = new Studio(folder, Path.of(""), clock)) {
      studio.create(
          "digits",
          new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
          ProjectOptions.DEFAULT,
          IntStream.range(0, 10).mapToObj(String::valueOf).toList());
      try (Server server = new Server(studio, "127.0.0.1", 0)) {
        client = new Client(server);
        converse();
      }
    }
    if (System.getProperty("alfamix.record") != null) {
      Files.writeString(RECORDING, transcript);
    }
    assertEquals(Files.readAllLines(RECORDING), transcript.toString().lines().toList());
  }
}
