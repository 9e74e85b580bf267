package org.alfamix.studio.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.alfamix.command.CommandRunner;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.command.StudioCommand;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.TrainingRound;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty annotators label over REST while the server is killed ten times at arbitrary moments. A
 * request without a response is repeated with the same identifier, as the pages do.
 */
@Tag("slow")
class FaultTest {
  private static final int ANNOTATORS = 20;
  private static final int KILLS = 10;
  private static final int LABELS_BETWEEN = 30;
  private static final int THINKING_MILLIS = 300;

  @TempDir private Path folder;
  private final int[] truth = Datasets.open("digits", Path.of("")).pool().labels();
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
  private final AtomicBoolean stop = new AtomicBoolean();

  /** The answers that the server has acknowledged, by the identifier of the request. */
  private final Map<String, Acknowledged> acknowledged = new ConcurrentHashMap<>();

  private final AtomicInteger retries = new AtomicInteger();
  private volatile int port;

  private record Acknowledged(int item, long classId, String annotator) {}

  /** Runs the command in the process that is killed. */
  public static void main(String[] arguments) {
    System.exit(CommandRunner.run(CommandRunner.configure(new StudioCommand()), arguments));
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-modules=jdk.incubator.vector",
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            FaultTest.class.getName(),
            "serve",
            "--home",
            folder.toString(),
            "--port",
            "0");
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    assertTrue(
        line != null && line.contains("http://127.0.0.1:"),
        "unexpected output at the start: " + line);
    port = Integer.parseInt(line.replaceAll(".*:(\\d+).*", "$1"));
    return process;
  }

  private JsonTree post(String path, String json) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + port + "/api/projects/digits" + path))
                .header("X-Alfamix", "test")
                .timeout(Duration.ofSeconds(5))
                .POST(BodyPublishers.ofString(json.replace('\'', '"')))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return JsonTree.parse("answer", response.body());
  }

  /** Repeats a request until there is a response, because the server may be down for a while. */
  private JsonTree postUntilAnswered(String path, String json) throws InterruptedException {
    for (int i = 0; ; i++) {
      try {
        return post(path, json);
      } catch (IOException e) {
        if (stop.get() && i > 200) {
          throw new IllegalStateException(e);
        }
        retries.incrementAndGet();
        Thread.sleep(50);
      }
    }
  }

  private void annotate(String who, List<LabelClass> classes) {
    try {
      int count = 0;
      while (!stop.get()) {
        JsonTree next = postUntilAnswered("/next", "{'annotator':'%s','count':1}".formatted(who));
        if (next.get("items").list().isEmpty()) {
          return;
        }
        int item = next.get("items").list().get(0).get("item").integer();
        long classId = classes.get(truth[item]).id();
        String request = who + "-" + count++;
        postUntilAnswered(
            "/labels",
            "{'annotator':'%s','item':%d,'class':%d,'request':'%s'}"
                .formatted(who, item, classId, request));
        acknowledged.put(request, new Acknowledged(item, classId, who));
        Thread.sleep(THINKING_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void keepsEveryAcknowledgedLabelOnceAfterTenKills() throws Exception {
    List<LabelClass> classes;
    try (Studio studio = new Studio(folder, Path.of(""), Clock.systemUTC())) {
      studio.create(
          "digits",
          new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
          ProjectOptions.DEFAULT,
          Datasets.open("digits", Path.of("")).classNames());
      classes = studio.store().projects().classes(studio.project("digits").id());
    }
    Process server = start();
    ExecutorService annotators = Executors.newFixedThreadPool(ANNOTATORS);
    for (int a = 0; a < ANNOTATORS; a++) {
      String who = "annotator-" + a;
      annotators.submit(() -> annotate(who, classes));
    }
    for (int kill = 1; kill <= KILLS; kill++) {
      awaitLabels(kill * LABELS_BETWEEN);
      // The delay varies so that kills interrupt answers, feature computation, training and writes.
      Thread.sleep(kill * 150L);
      server.destroyForcibly().waitFor();
      server = start();
    }
    awaitLabels((KILLS + 1) * LABELS_BETWEEN);
    stop.set(true);
    annotators.shutdown();
    assertTrue(annotators.awaitTermination(60, TimeUnit.SECONDS), "the annotators did not finish");
    server.destroyForcibly().waitFor();
    assertTrue(retries.get() > 0, "no request was repeated");
    check();
  }

  private void awaitLabels(int count) throws InterruptedException {
    for (int i = 0; acknowledged.size() < count; i++) {
      assertTrue(i < 2_400, "only " + acknowledged.size() + " labels within two minutes");
      Thread.sleep(50);
    }
  }

  private void check() throws InterruptedException {
    try (Studio studio = new Studio(folder, Path.of(""), Clock.systemUTC())) {
      Project project = studio.project("digits");
      Map<Integer, Label> labels = studio.store().ledger().labels(project.id());
      for (Acknowledged answer : acknowledged.values()) {
        List<Change> history = studio.store().ledger().history(project.id(), answer.item);
        assertEquals(1, history.size(), "item " + answer.item + " was labelled once");
        assertEquals(Change.Action.LABEL, history.get(0).action());
        assertEquals(answer.annotator, history.get(0).annotator());
        assertEquals(OptionalLong.of(answer.classId), labels.get(answer.item).classId());
      }
      assertEquals(acknowledged.size(), labels.size(), "number of stored labels");
      assertEquals(acknowledged.size(), studio.store().ledger().changes(project.id()).size());
      // Rounds continue after the last kill and are numbered without gaps.
      List<TrainingRound> before = studio.store().rounds().all(project.id());
      assertEquals(
          IntStream.range(0, before.size()).boxed().toList(),
          before.stream().map(TrainingRound::number).toList());
      studio.worker(project).train();
      for (int i = 0; studio.store().rounds().all(project.id()).size() == before.size(); i++) {
        assertTrue(i < 1_200, "no batch after a restart");
        Thread.sleep(50);
      }
    }
  }
}
