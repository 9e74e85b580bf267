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

/** Images or videos into features: how many a second, and whether all processors are at work. */
@Command(
    name = "embed",
    description = {
      "Time a backbone on image files or videos: decoding alone, computing alone, and both"
          + " together.",
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

  @Option(
      names = "--videos",
      paramLabel = "PATH",
      description = "A folder or zip of videos, instead of images.")
  private Path videos;

  @Option(names = "--frames", description = "Frames of a video.", defaultValue = "8")
  private int frames;

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
    Path made = images == null && videos == null ? make() : null;
    try {
      if (videos != null) {
        VideoFolder folder = VideoFolder.open(videos, dataFolder.resolve("unpacked"));
        List<String> names = first(folder.names());
        ClipOptions options = ClipOptions.even(frames, SIDE);
        // Memory for the clips that threads are at: each is decoded anew.
        rows(
            "videos",
            threads -> folder.inputs(names, options, 4L * threads * options.shape().length()));
      } else {
        ImageFolder folder = ImageFolder.open(images == null ? made : images);
        List<String> names = first(folder.names());
        rows("images", threads -> folder.inputs(names, SIDE, 1));
      }
    } finally {
      if (made != null) {
        delete(made);
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
    System.out.printf("| threads | work | %s a second | processors busy |%n", items);
    System.out.println("|---:|---|---:|---:|");
    List<String> shares = new ArrayList<>();
    for (int threads : processors > 1 ? new int[] {1, processors} : new int[] {1}) {
      shares.add(rows(open.apply(threads), threads, processors));
    }
    System.out.println();
    shares.forEach(System.out::println);
  }

  /** Returns what decoding costs, in words. */
  private String rows(Inputs files, int threads, int processors) {
    Inputs memory = decoded(files);
    WeightsFolder weights = new WeightsFolder(dataFolder, what -> System.err.println(what));
    BackboneName name = BackboneName.parse(backbone);
    Backbones backbones = new Backbones(dataFolder, weights, threads, device);
    FrameFeatures pooled = new FrameFeatures(frames, FrameFeatures.Pooling.MEAN);
    try (Embedder embedder = backbones.open(name, files.shape(), pooled)) {
      int items = files.size();
      double decode = row(threads, "decode", items, processors, () -> decode(files, threads));
      row(threads, "compute", items, processors, () -> embedder.embed(memory, n -> {}));
      double both = row(threads, "both", items, processors, () -> embedder.embed(files, n -> {}));
      return String.format(
          Locale.ROOT, "Decoding alone takes %.0f %% of the time of both.", 100 * decode / both);
    }
  }

  /** Returns the seconds of the median turn. */
  private double row(int threads, String what, int items, int processors, Runnable work) {
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
