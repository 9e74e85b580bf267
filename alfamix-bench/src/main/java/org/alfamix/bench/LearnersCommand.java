package org.alfamix.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.alfamix.datasets.ByteInputs;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.Fetcher;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.TrainingOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares training steps and inference with PyTorch for Python. */
@Command(
    name = "learners",
    description = {
      "Compare the speed of training steps and of a pass over MNIST's pool with PyTorch for"
          + " Python.",
      "",
      "After a warm-up, both sides run alternately, so that a slower phase of the machine affects"
          + " both. The ratio is the median over all turns.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LearnersCommand implements Callable<Integer> {
  private static final int STEP_ITEMS = 2000;
  private static final int PHOTOS = 128;

  @Option(
      names = "--python",
      description = "A Python command with PyTorch and NumPy.",
      defaultValue = "python3")
  private String python;

  @Option(
      names = "--data-dir",
      description = "The folder for data sets.",
      defaultValue = "${env:ALFAMIX_DATA:-target/bench-data}")
  private Path dataFolder;

  @Option(names = "--threads", description = "Number of threads, on each side.", defaultValue = "2")
  private int threads;

  @Option(names = "--turns", description = "Number of turns per row.", defaultValue = "7")
  private int turns;

  @Option(names = "--device", description = "The device of both sides.", defaultValue = "cpu")
  private String device;

  /** One comparison. */
  private record Row(String work, String task, DoubleSupplier alfamix, String goal) {}

  @Override
  public Integer call() throws IOException {
    DatasetEntry entry = Datasets.named("mnist").orElseThrow();
    DatasetEntry.Location location =
        new Fetcher(dataFolder, message -> System.err.println(message)).fetch(entry);
    Dataset mnist = Datasets.read(entry, location);
    LearnerEngine engine = LearnerEngine.find();
    try (Learner mlp = engine.create(specWithoutGoal("mlp", mnist.shape(), mnist.scaling(), 10));
        Learner resnet =
            engine.create(
                specWithoutGoal("resnet18", InputShape.image(3, 32, 32), photoScaling(), 3));
        Python peer = new Python(location.folder())) {
      System.out.printf(
          "Measured on: %s; %d threads and %s on each side; PyTorch %s.%n%n",
          Machine.description(), threads, device, peer.version());
      System.out.println("| work | Python | alfamix | ratio | goal |");
      System.out.println("|---|---:|---:|---:|---:|");
      int[] all = IntStream.range(0, mnist.pool().size()).toArray();
      DoubleSupplier mlpStep = () -> step(mlp, mnist.pool().inputs(), STEP_ITEMS);
      Inputs photos = photos();
      DoubleSupplier resnetStep = () -> step(resnet, photos, PHOTOS);
      DoubleSupplier pool = () -> seconds(() -> mlp.embed(mnist.pool().inputs(), all));
      for (Row row :
          List.of(
              new Row("MLP step, batch 64", "mlp", mlpStep, "≤ 1.05"),
              new Row("MLP step, Python with fused=True", "mlp-fused", mlpStep, ""),
              new Row("ResNet-18 step, batch 64 of 32 × 32", "resnet18", resnetStep, "≤ 1.05"),
              new Row("the same, Python with fused=True", "resnet18-fused", resnetStep, ""),
              new Row("MNIST pool, 50,000 from bytes", "pool", pool, "≤ 1.05"),
              new Row("the same, Python from floats in memory", "pool-floats", pool, ""))) {
        measure(row, peer);
      }
    }
    return 0;
  }

  /**
   * With random labels, the goal is not reached, so that all turns have the same number of steps.
   */
  private LearnerSpec specWithoutGoal(
      String network, InputShape shape, Scaling scaling, int epochs) {
    TrainingOptions training = TrainingOptions.of(network, shape).withGoal(1).withEpochs(epochs);
    List<String> classes = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
    return new LearnerSpec(
        network, shape, scaling, classes, training, Pretraining.NONE, 1, threads, device);
  }

  private static Scaling photoScaling() {
    double[] half = {0.5, 0.5, 0.5};
    return Scaling.pixels(half, half);
  }

  private static Inputs photos() {
    byte[] pixels = new byte[PHOTOS * 3072];
    new SplittableRandom(1).nextBytes(pixels);
    return new ByteInputs(InputShape.image(3, 32, 32), pixels);
  }

  private static double step(Learner learner, Inputs inputs, int count) {
    SplittableRandom random = new SplittableRandom(2);
    int[] items = IntStream.range(0, count).toArray();
    int[] labels = random.ints(count, 0, 10).toArray();
    Fit fit = learner.fit(inputs, items, labels);
    return fit.seconds() / (fit.epochs() * ((count + 63) / 64));
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private void measure(Row row, Python peer) {
    for (int warm = 0; warm < 3; warm++) {
      peer.seconds(row.task());
      row.alfamix().getAsDouble();
    }
    double[] pythonSeconds = new double[turns];
    double[] alfamixSeconds = new double[turns];
    double[] ratios = new double[turns];
    for (int turn = 0; turn < turns; turn++) {
      pythonSeconds[turn] = peer.seconds(row.task());
      alfamixSeconds[turn] = row.alfamix().getAsDouble();
      ratios[turn] = alfamixSeconds[turn] / pythonSeconds[turn];
    }
    Arrays.sort(ratios);
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.2f (%.2f to %.2f) | %s |%n",
        row.work(),
        time(Peer.median(pythonSeconds)),
        time(Peer.median(alfamixSeconds)),
        Peer.median(ratios),
        ratios[0],
        ratios[turns - 1],
        row.goal());
    System.out.flush();
  }

  private static String time(double seconds) {
    return String.format(Locale.ROOT, "%.2f ms", 1e3 * seconds);
  }

  /** The Python process, which reads tasks and prints their times line by line. */
  private final class Python implements AutoCloseable {
    private final Path script;
    private final Process process;
    private final PrintWriter requests;
    private final BufferedReader answers;
    private final String version;

    Python(Path folder) throws IOException {
      script = Files.createTempFile("learners", ".py");
      try (InputStream in = LearnersCommand.class.getResourceAsStream("learners.py")) {
        Files.write(script, in.readAllBytes());
      }
      process =
          new ProcessBuilder(
                  python, script.toString(), folder.toString(), Integer.toString(threads), device)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      requests = new PrintWriter(process.getOutputStream(), true, StandardCharsets.US_ASCII);
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
      version = answers.readLine();
      if (version == null) {
        throw new IOException(python + " did not start; it requires torch and numpy.");
      }
    }

    String version() {
      return version;
    }

    double seconds(String task) {
      requests.println(task);
      try {
        String line = answers.readLine();
        if (line == null) {
          throw new IllegalStateException("The Python program ended during the task " + task + ".");
        }
        return Double.parseDouble(line);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws IOException {
      requests.close();
      Files.deleteIfExists(script);
    }
  }
}
