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

/** The options of the Spark session. */
final class SessionOptions {
  private static final String EXECUTOR_FLAGS = "spark.executor.extraJavaOptions";
  private static final String VECTOR_MODULE = "--add-modules=jdk.incubator.vector";

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "Master URL of Spark: local[2], spark://host:7077, yarn (default: that of spark-submit,"
              + " otherwise local[*]).")
  private String master;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A Spark setting; can be repeated.",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private Map<String, String> settings = new LinkedHashMap<>();

  SparkSession open(String name, boolean quiet) {
    SparkSession.Builder builder = SparkSession.builder().appName("alfamix " + name);
    if (isLocal()) {
      // Only this process is involved: no web interface, and no host name to resolve.
      builder
          .config("spark.ui.enabled", "false")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.driver.bindAddress", "127.0.0.1");
    }
    if (System.getProperty("spark.driver.maxResultSize") == null) {
      // alfamix has a separate limit for results on the driver.
      builder.config("spark.driver.maxResultSize", "0");
    }
    if (System.getProperty("spark.jars") == null && !isLocal()) {
      builder.config("spark.jars", ownJars());
    }
    // An existing folder: no tables are saved, so Spark does not need to create one.
    builder.config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"));
    builder.config("spark.sql.parquet.pushdown.inFilterThreshold", "10000");
    // All joins are with small tables, so adaptive plans have no advantage.
    builder.config("spark.sql.adaptive.enabled", "false");
    builder.config("spark.ui.showConsoleProgress", !quiet && Terminal.isInteractive());
    settings.forEach(builder::config);
    String flags = settings.getOrDefault(EXECUTOR_FLAGS, System.getProperty(EXECUTOR_FLAGS, ""));
    if (!flags.contains(VECTOR_MODULE)) {
      builder.config(EXECUTOR_FLAGS, (flags + " " + VECTOR_MODULE).strip());
    }
    SparkSession session = builder.master(master()).getOrCreate();
    requireValidSettings(session);
    return session;
  }

  /** Analyses a statement, because Spark parses most settings only then. */
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

  /** Returns whether Spark supports this kind of master. */
  boolean isKnown() {
    return master().matches("local(\\[.+\\])?|local-cluster\\[.+\\]|spark://.+|yarn|k8s://.+");
  }

  /** Returns whether the executors are in this process and share its file system. */
  boolean isLocal() {
    return master().startsWith("local");
  }

  /** Returns the jars of alfamix that executors need if spark-submit has not sent any. */
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

  /** Runs a function and then stops Spark. */
  static <T> T using(SparkSession session, java.util.function.Function<SparkSession, T> work) {
    try {
      return work.apply(session);
    } finally {
      session.stop();
    }
  }
}
