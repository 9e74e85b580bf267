package org.alfamix.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.web.Server;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long annotators wait for the next item after a label, while models are trained. */
@Command(
    name = "studio",
    description = {
      "Measure a studio with many concurrent annotators, on the built-in letters.",
      "",
      "Annotators, server and model share this machine. Each annotator labels at a constant rate"
          + " over HTTP. A model is trained every few labels, so that training runs nearly all the"
          + " time.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class StudioBenchCommand implements Callable<Integer> {
  private static final Pattern ITEM = Pattern.compile("\"item\":(\\d+)");
  private static final int AHEAD = 4;
  private static final double NANOS = 1e6;

  @Option(names = "--annotators", description = "Number of annotators.", defaultValue = "100")
  private int annotators;

  @Option(
      names = "--pause",
      description = "Milliseconds per label and annotator.",
      defaultValue = "2000")
  private int pause;

  @Option(names = "--seconds", description = "Duration in seconds.", defaultValue = "60")
  private int seconds;

  @Option(
      names = "--train-every",
      description = "Number of labels between training runs.",
      defaultValue = "20")
  private int trainEvery;

  @Option(names = "--data", description = "A built-in data set.", defaultValue = "letter")
  private String name;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ConcurrentLinkedQueue<Double> waits = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failures = new AtomicInteger();

  @Override
  public Integer call() throws Exception {
    Path home = Files.createTempDirectory("alfamix-bench-studio");
    Dataset data = Datasets.open(name, home);
    int[] truth = data.pool().labels();
    try (Studio studio = new Studio(home, home, Clock.systemUTC())) {
      studio.create(
          "bench",
          new SourceSpec(SourceSpec.Kind.DATA, name, "", ""),
          new ProjectOptions(ProjectOptions.FIXED, "alfamix", 20, trainEvery, 5, 10, 1),
          data.classNames());
      Project project = studio.project("bench");
      List<LabelClass> classes = studio.store().projects().classes(project.id());
      try (Server server = new Server(studio, "127.0.0.1", 0)) {
        String address = "http://127.0.0.1:" + server.port() + "/api/projects/bench";
        studio.worker(project);
        while (studio.worker(project).state().busy()) {
          Thread.sleep(100);
        }
        long before = System.nanoTime();
        label(address, truth, classes);
        double duration = (System.nanoTime() - before) / 1e9;
        report(studio, project, duration);
      }
    } finally {
      delete(home);
    }
    return failures.get() == 0 ? 0 : 1;
  }

  private void label(String address, int[] truth, List<LabelClass> classes)
      throws InterruptedException {
    ExecutorService executor = Executors.newFixedThreadPool(annotators);
    CountDownLatch done = new CountDownLatch(annotators);
    long start = System.nanoTime();
    for (int a = 0; a < annotators; a++) {
      int number = a;
      executor.submit(
          () -> {
            try {
              annotate(address, "annotator-" + number, number, start, truth, classes);
            } catch (IOException | InterruptedException | RuntimeException e) {
              System.err.println("annotator " + number + ": " + e);
              failures.incrementAndGet();
            } finally {
              done.countDown();
            }
          });
    }
    done.await();
    executor.shutdown();
  }

  private void annotate(
      String address,
      String annotator,
      int number,
      long start,
      int[] truth,
      List<LabelClass> classes)
      throws IOException, InterruptedException {
    long next = start + TimeUnit.MILLISECONDS.toNanos((long) pause * number / annotators);
    long end = start + TimeUnit.SECONDS.toNanos(seconds);
    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    String body = "{\"annotator\":\"%s\",\"count\":%d".formatted(annotator, AHEAD);
    int item = item(post(address + "/next", body + "}"));
    next += TimeUnit.MILLISECONDS.toNanos(pause);
    for (int count = 0; next < end; count++) {
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
      String label =
          body
              + ",\"item\":%d,\"class\":%d,\"request\":\"%s-%d\"}"
                  .formatted(item, classes.get(truth[item]).id(), annotator, count);
      long sent = System.nanoTime();
      item = item(post(address + "/labels", label));
      waits.add((System.nanoTime() - sent) / NANOS);
      next += TimeUnit.MILLISECONDS.toNanos(pause);
    }
  }

  private String post(String address, String json) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create(address))
                .header("X-Alfamix", "bench")
                .POST(BodyPublishers.ofString(json))
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  private static int item(String answer) {
    Matcher first = ITEM.matcher(answer);
    if (!first.find()) {
      throw new IllegalStateException("No unlabelled items are left.");
    }
    return Integer.parseInt(first.group(1));
  }

  private void report(Studio studio, Project project, double duration) {
    double[] sorted = waits.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int rounds = studio.store().rounds().all(project.id()).size();
    double training =
        studio.store().rounds().all(project.id()).stream()
            .mapToDouble(round -> round.seconds())
            .sum();
    System.out.println(Machine.description());
    System.out.println();
    System.out.println(
        "| annotators | labels | per second | training runs | share of training time | median | p99"
            + " | maximum |");
    System.out.println("|--:|--:|--:|--:|--:|--:|--:|--:|");
    System.out.printf(
        "| %d | %,d | %.1f | %d | %.0f %% | %.1f ms | %.1f ms | %.1f ms |%n",
        annotators,
        sorted.length,
        sorted.length / duration,
        rounds - 1,
        100 * training / duration,
        sorted[sorted.length / 2],
        sorted[(int) Math.ceil(0.99 * sorted.length) - 1],
        sorted[sorted.length - 1]);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
