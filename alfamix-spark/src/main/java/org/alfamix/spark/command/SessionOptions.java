package org.alfamix.spark.command;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.command.Terminal;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.Kernels;
import org.alfamix.spark.BatchSelector;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where Spark runs. */
final class SessionOptions {
  private static final String EXECUTOR_FLAGS = "spark.executor.extraJavaOptions";
  private static final String VECTOR_MODULE = "--add-modules=jdk.incubator.vector";

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "Where Spark runs: local[2], spark://host:7077, yarn (default: as spark-submit says, else"
              + " local[*]).")
  private String master;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of Spark; may be repeated.",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private Map<String, String> settings = new LinkedHashMap<>();

  SparkSession open(String name, boolean quiet) {
    SparkSession.Builder builder = SparkSession.builder().appName("alfamix " + name);
    if (isLocal()) {
      // Nobody but this process: no page for others to look at, and no name to be looked up.
      builder
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1");
    }
    if (System.getProperty("spark.driver.maxResultSize") == null) {
      // What comes to the driver has a limit of our own.
      builder.config("spark.driver.maxResultSize", "0");
    }
    if (System.getProperty("spark.jars") == null && !isLocal()) {
      builder.config("spark.jars", ownJars());
    }
    // A folder that is there: no table is kept, so no folder need be made for them.
    builder.config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"));
    builder.config("spark.sql.parquet.pushdown.inFilterThreshold", "10000");
    // Nothing here is joined but with small tables: there is no plan to be mended on the way.
    builder.config("spark.sql.adaptive.enabled", "false");
    builder.config("spark.ui.showConsoleProgress", !quiet && Terminal.isThere());
    settings.forEach(builder::config);
    String flags = settings.getOrDefault(EXECUTOR_FLAGS, System.getProperty(EXECUTOR_FLAGS, ""));
    if (!flags.contains(VECTOR_MODULE)) {
      builder.config(EXECUTOR_FLAGS, (flags + " " + VECTOR_MODULE).strip());
    }
    SparkSession session = builder.master(master()).getOrCreate();
    requireValidSettings(session);
    return session;
  }

  /** Spark reads most settings when the first statement is analysed. */
  private static void requireValidSettings(SparkSession session) {
    try {
      session.sql("SELECT 1").schema();
    } catch (IllegalArgumentException e) {
      session.stop();
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      throw new InvalidRequestException("conf", "has an invalid setting: " + reason, e);
    }
  }

  private String master() {
    return master != null
        ? master
        : settings.getOrDefault("spark.master", System.getProperty("spark.master", "local[*]"));
  }

  /** Whether the master is of a kind that Spark knows. */
  boolean isKnown() {
    return master().matches("local(\\[.+\\])?|local-cluster\\[.+\\]|spark://.+|yarn|k8s://.+");
  }

  /** Whether executors are in this process, and write where it writes. */
  boolean isLocal() {
    return master().startsWith("local");
  }

  /** What executors need of alfamix, where no one has sent it yet. */
  private static String ownJars() {
    return Stream.of(BatchSelector.class, DataException.class, Kernels.class)
        .map(each -> file(each.getProtectionDomain().getCodeSource().getLocation()))
        .filter(Files::isRegularFile)
        .distinct()
        .map(Path::toString)
        .collect(Collectors.joining(","));
  }

  private static Path file(URL location) {
    try {
      return Path.of(location.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs something and gives Spark back. */
  static <T> T using(SparkSession session, java.util.function.Function<SparkSession, T> work) {
    try {
      return work.apply(session);
    } finally {
      session.stop();
    }
  }
}
