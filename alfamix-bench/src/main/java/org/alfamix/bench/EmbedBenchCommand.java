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
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.alfamix.datasets.ByteInputs;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.VideoFolder;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.Backbones;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.FrameFeatures;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;
import org.alfamix.math.Parallel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the features of images or videos per second, and the load of the processors. */
@Command(
    name = "embed",
    description = {
      "Measure the speed of a backbone on image files or videos: decoding, computing, and both.",
      "",
      "Each thread decodes and computes separate blocks, so that both happen at the same time. If"
          + " both use the same processors, the total time is the sum of both, and no thread"
          + " waits. The last column shows the load of the processors.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class EmbedBenchCommand implements Callable<Integer> {
  private static final int SIDE = PublishedWeights.SIDE;

  @Option(
      names = "--backbone",
      description = "The backbone (see 'alfamix data list').",
      defaultValue = "resnet50-imagenet")
  private String backbone;

  @Option(
      names = "--images",
      paramLabel = "PATH",
      description = "A folder or .zip file of images (default: synthetic images, 640 x 480).")
  private Path images;

  @Option(
      names = "--videos",
      paramLabel = "PATH",
      description = "A folder or .zip file of videos, instead of images.")
  private Path videos;

  @Option(names = "--frames", description = "Number of frames per video.", defaultValue = "8")
  private int frames;

  @Option(
      names = "--count",
      description = "Maximum number of images or videos.",
      defaultValue = "256")
  private int count;

  @Option(
      names = "--turns",
      description = "Number of runs per row; the median is reported.",
      defaultValue = "3")
  private int turns;

  @Option(
      names = "--data-dir",
      description = "The folder for weights.",
      defaultValue = "${env:ALFAMIX_DATA:-target/bench-data}")
  private Path dataFolder;

  @Option(
      names = "--device",
      description = "The device: auto, cpu or cuda:N.",
      defaultValue = "auto")
  private String device;

  /**
   * The duration of one run.
   *
   * @param load the share of the processor time that was used
   */
  private record Turn(double seconds, double load) {}

  @Override
  public Integer call() throws IOException {
    Path synthetic = images == null && videos == null ? createImages() : null;
    try {
      if (videos != null) {
        VideoFolder folder = VideoFolder.open(videos, dataFolder.resolve("unpacked"));
        List<String> names = first(folder.names());
        ClipOptions options = ClipOptions.even(frames, SIDE);
        // Memory only for the clips in use, so that each clip is decoded in every run.
        rows(
            "videos",
            threads -> folder.inputs(names, options, 4L * threads * options.shape().length()));
      } else {
        ImageFolder folder = ImageFolder.open(images == null ? synthetic : images);
        List<String> names = first(folder.names());
        rows("images", threads -> folder.inputs(names, SIDE, 1));
      }
    } finally {
      if (synthetic != null) {
        delete(synthetic);
      }
    }
    return 0;
  }

  private List<String> first(List<String> names) {
    return names.subList(0, Math.min(count, names.size()));
  }

  private void rows(String items, IntFunction<Inputs> open) {
    int processors = Runtime.getRuntime().availableProcessors();
    Inputs some = open.apply(1);
    System.out.printf(
        "Measured on: %s; %s on %s, %d %s, %s.%n%n",
        Machine.description(), backbone, device, some.size(), items, some.shape());
    System.out.printf("| threads | work | %s per second | processor load |%n", items);
    System.out.println("|---:|---|---:|---:|");
    List<String> shares = new ArrayList<>();
    for (int threads : processors > 1 ? new int[] {1, processors} : new int[] {1}) {
      shares.add(rows(open.apply(threads), threads, processors));
    }
    System.out.println();
    shares.forEach(System.out::println);
  }

  /** Prints the rows of a number of threads, and returns a sentence on the share of decoding. */
  private String rows(Inputs files, int threads, int processors) {
    Inputs memory = decoded(files);
    WeightsFolder weights = new WeightsFolder(dataFolder, message -> System.err.println(message));
    BackboneName name = BackboneName.parse(backbone);
    Backbones backbones = new Backbones(dataFolder, weights, threads, device);
    FrameFeatures pooled = new FrameFeatures(frames, FrameFeatures.Pooling.MEAN);
    try (Embedder embedder = backbones.open(name, files.shape(), pooled)) {
      int items = files.size();
      double decode = row(threads, "decode", items, processors, () -> decode(files, threads));
      row(threads, "compute", items, processors, () -> embedder.embed(memory, n -> {}));
      double both = row(threads, "both", items, processors, () -> embedder.embed(files, n -> {}));
      return String.format(
          Locale.ROOT, "Decoding takes %.0f %% of the total time.", 100 * decode / both);
    }
  }

  /** Prints a row and returns the seconds of the median run. */
  private double row(int threads, String workName, int items, int processors, Runnable work) {
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
        workName,
        items / median.seconds,
        100 * median.load);
    return median.seconds;
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

  /** Writes synthetic images: smooth shapes with noise, with the file size of photos. */
  private Path createImages() throws IOException {
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
