package org.alfamix.bench;

import com.sun.management.OperatingSystemMXBean;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.alfamix.dataset.ByteInputs;
import org.alfamix.dataset.ImageFolder;
import org.alfamix.dataset.Inputs;
import org.alfamix.embed.BackboneName;
import org.alfamix.embed.Embedder;
import org.alfamix.embed.EmbedderEngine;
import org.alfamix.math.Parallel;
import org.alfamix.weights.PublishedWeights;
import org.alfamix.weights.WeightsFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Images into features: how many a second, and whether all processors are at work. */
@Command(
    name = "embed",
    description = {
      "Time a backbone on image files: decoding alone, computing alone, and both together.",
      "",
      "Each thread decodes and computes blocks of its own, so that both go on at the same time."
          + " Where both need the same processors the time of both is the sum of the two, and"
          + " nobody waits: the last column says how busy the processors were.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class EmbedBenchCommand implements Callable<Integer> {
  private static final int SIDE = PublishedWeights.SIDE;

  @Option(
      names = "--backbone",
      description = "What computes, see 'alfamix data list'.",
      defaultValue = "resnet50-imagenet")
  private String backbone;

  @Option(
      names = "--images",
      paramLabel = "PATH",
      description = "A folder or zip of images (default: some that are made up, 640 x 480).")
  private Path images;

  @Option(names = "--count", description = "How many at most.", defaultValue = "256")
  private int count;

  @Option(names = "--turns", description = "Turns per row.", defaultValue = "3")
  private int turns;

  @Option(
      names = "--data-dir",
      description = "Where weights are kept.",
      defaultValue = "${env:ALFAMIX_DATA:-target/bench-data}")
  private Path dataFolder;

  @Option(names = "--device", description = "Where it computes.", defaultValue = "auto")
  private String device;

  /** What one turn took. */
  private record Turn(double seconds, double busy) {}

  @Override
  public Integer call() throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    Path made = images == null ? make() : null;
    try {
      ImageFolder folder = ImageFolder.open(images == null ? made : images);
      List<String> names = folder.names().subList(0, Math.min(count, folder.names().size()));
      System.out.printf(
          "Measured on: %s; %s on %s, %d images at %d x %d.%n%n",
          Machine.description(), backbone, device, names.size(), SIDE, SIDE);
      System.out.println("| threads | work | images a second | processors busy |");
      System.out.println("|---:|---|---:|---:|");
      for (int threads : processors > 1 ? new int[] {1, processors} : new int[] {1}) {
        rows(folder, names, threads, processors);
      }
    } finally {
      if (made != null) {
        delete(made);
      }
    }
    return 0;
  }

  private void rows(ImageFolder folder, List<String> names, int threads, int processors) {
    // Memory for one image: each is decoded anew.
    Inputs files = folder.inputs(names, SIDE, 1);
    Inputs memory = decoded(files);
    WeightsFolder weights = new WeightsFolder(dataFolder, what -> System.err.println(what));
    BackboneName name = BackboneName.parse(backbone);
    try (Embedder embedder =
        EmbedderEngine.find(name.spec(weights, files.shape(), threads, device))) {
      row(threads, "decode", names.size(), processors, () -> decode(files, threads));
      row(threads, "compute", names.size(), processors, () -> embedder.embed(memory, n -> {}));
      row(threads, "both", names.size(), processors, () -> embedder.embed(files, n -> {}));
    }
  }

  private void row(int threads, String what, int items, int processors, Runnable work) {
    work.run();
    List<Turn> all = new ArrayList<>();
    for (int t = 0; t < turns; t++) {
      all.add(turn(work, processors));
    }
    all.sort(Comparator.comparingDouble(Turn::seconds));
    Turn median = all.get(all.size() / 2);
    System.out.printf(
        Locale.ROOT,
        "| %d | %s | %.1f | %.0f %% |%n",
        threads,
        what,
        items / median.seconds,
        100 * median.busy);
  }

  private static Turn turn(Runnable work, int processors) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    work.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Turn(seconds, (system.getProcessCpuTime() - cpu) / 1e9 / seconds / processors);
  }

  private static void decode(Inputs files, int threads) {
    Parallel.with(
        threads,
        () -> {
          Parallel.forBlocks(
              files.size(),
              8,
              (from, to) -> {
                byte[] pixels = new byte[files.shape().length()];
                IntStream.range(from, to).forEach(i -> files.readBytes(i, pixels, 0));
              });
          return null;
        });
  }

  private static Inputs decoded(Inputs files) {
    int length = files.shape().length();
    byte[] pixels = new byte[Math.multiplyExact(files.size(), length)];
    Parallel.forBlocks(
        files.size(),
        8,
        (from, to) ->
            IntStream.range(from, to).forEach(i -> files.readBytes(i, pixels, i * length)));
    return new ByteInputs(files.shape(), pixels);
  }

  /** Photos of nothing: soft shapes with some noise, as large in bytes as photos are. */
  private Path make() throws IOException {
    Path folder = Files.createTempDirectory("alfamix-bench");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < count; i++) {
      BufferedImage image = new BufferedImage(640, 480, BufferedImage.TYPE_INT_RGB);
      double fx = 0.01 + 0.03 * random.nextDouble();
      double fy = 0.01 + 0.03 * random.nextDouble();
      for (int y = 0; y < 480; y++) {
        for (int x = 0; x < 640; x++) {
          int level = (int) (120 + 90 * Math.sin(fx * x) * Math.cos(fy * y));
          int noise = random.nextInt(24);
          image.setRGB(
              x, y, (level + noise) << 16 | (level / 2 + noise) << 8 | (220 - level + noise));
        }
      }
      ImageIO.write(image, "jpg", folder.resolve("%04d.jpg".formatted(i)).toFile());
    }
    return folder;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
