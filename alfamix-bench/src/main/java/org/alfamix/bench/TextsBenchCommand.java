package org.alfamix.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.TextInputs;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.NgramFeatures;
import org.alfamix.learn.embed.TextEncoderEngine;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.math.Parallel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the features of texts per second, optionally in comparison with Python. */
@Command(
    name = "texts",
    description = {
      "Measure the speed of the features of Banking77's questions: of the sentence encoder and of"
          + " n-grams.",
      "",
      "With --python and --model, Python encodes the same texts with the same model in turns, with"
          + " onnxruntime and tokenizers.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class TextsBenchCommand implements Callable<Integer> {
  private static final int BATCH = 32;

  @Option(names = "--python", paramLabel = "COMMAND", description = "The Python command.")
  private String python;

  @Option(
      names = "--model",
      paramLabel = "FOLDER",
      description = "A folder with model.onnx and tokenizer.json (default: the included encoder).")
  private Path model;

  @Option(names = "--count", description = "Number of texts.", defaultValue = "10000")
  private int count;

  @Option(
      names = "--turns",
      description = "Number of runs per row; the median is reported.",
      defaultValue = "5")
  private int turns;

  @Override
  public Integer call() throws IOException {
    Dataset data = Datasets.open("banking77", Path.of(""));
    int size = Math.min(count, data.pool().size());
    List<String> texts = IntStream.range(0, size).mapToObj(data.pool().inputs()::text).toList();
    TextInputs inputs = new TextInputs(texts, null);
    int processors = Runtime.getRuntime().availableProcessors();
    String name = model == null ? TextFeatures.MINILM : model.toAbsolutePath().toString();
    Map<String, DoubleSupplier> work = new LinkedHashMap<>();
    Path folder = Files.createTempDirectory("alfamix-texts");
    try (Embedder encoder = TextEncoderEngine.find().open(name, EncoderOptions.DEFAULT)) {
      work.put(
          "encoder, 1 thread",
          () -> seconds(() -> Parallel.with(1, () -> encoder.embed(inputs, done -> {}))));
      work.put(
          "encoder, %d threads".formatted(processors),
          () -> seconds(() -> encoder.embed(inputs, done -> {})));
      work.put(
          "n-grams, %d threads".formatted(processors),
          () -> seconds(() -> NgramFeatures.fit(inputs).of(inputs)));
      if (python != null && model != null) {
        Path file = write(texts, folder.resolve("texts.json"));
        Path script = script(folder.resolve("texts.py"));
        work.put(
            "Python, batches of %d, %d threads".formatted(BATCH, processors),
            () -> python(script, file, BATCH, processors));
        work.put(
            "Python, one by one, %d threads".formatted(processors),
            () -> python(script, file, 1, processors));
      }
      print(measure(work), size);
    } finally {
      try (var files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
    return 0;
  }

  /** Runs all works in turns, so that other load affects all of them equally. */
  private Map<String, double[]> measure(Map<String, DoubleSupplier> work) {
    Map<String, List<Double>> seconds = new LinkedHashMap<>();
    for (int turn = 0; turn <= turns; turn++) {
      for (Map.Entry<String, DoubleSupplier> each : work.entrySet()) {
        double taken = each.getValue().getAsDouble();
        if (turn > 0) { // the first turn warms up
          seconds.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(taken);
        }
      }
    }
    Map<String, double[]> sorted = new LinkedHashMap<>();
    seconds.forEach(
        (key, all) ->
            sorted.put(key, all.stream().mapToDouble(Double::doubleValue).sorted().toArray()));
    return sorted;
  }

  private void print(Map<String, double[]> seconds, int texts) {
    System.out.printf(Locale.ROOT, "Measured on: %s; %,d texts.%n%n", Machine.description(), texts);
    System.out.println("| work | seconds (median, range) | texts per second |");
    System.out.println("|---|---:|---:|");
    seconds.forEach(
        (work, sorted) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %.2f (%.2f to %.2f) | %,.0f |%n",
                work,
                sorted[sorted.length / 2],
                sorted[0],
                sorted[sorted.length - 1],
                texts / sorted[sorted.length / 2]));
  }

  private static double seconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e9;
  }

  private double python(Path script, Path texts, int batch, int threads) {
    return Double.parseDouble(
        ChildProcess.run(
            List.of(
                python,
                script.toString(),
                model.toString(),
                texts.toString(),
                Integer.toString(batch),
                Integer.toString(threads)),
            Map.of()));
  }

  private static Path write(List<String> texts, Path file) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(Files.newOutputStream(file))) {
      json.writeArray(texts.toArray(String[]::new), 0, texts.size());
    }
    return file;
  }

  private static Path script(Path file) throws IOException {
    try (InputStream in = TextsBenchCommand.class.getResourceAsStream("texts.py")) {
      Files.copy(in, file);
      return file;
    }
  }
}
