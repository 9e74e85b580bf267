package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alfamix.select.Batch;
import org.alfamix.select.BatchFormat;
import org.alfamix.select.BatchWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the job jar on a real cluster: a master and two workers on the loopback interface, with only
 * the jars of Spark. One worker and its executor are killed during the pass over the pool.
 */
@Tag("slow")
class StandaloneClusterIT {
  private static final int FILES = 48;
  private static final Path JOB = Path.of("target/alfamix-spark-job.jar");

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killProcesses() throws InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void survivesTheLossOfAWorker() throws Exception {
    SparkTables.Case pool = SparkTables.clouds(96_000, 64, 8, 400, 60);
    pool.table(FILES).write().parquet(folder.resolve("pool").toString());
    Path expected = folder.resolve("expected.csv");
    Batch local = pool.local("alfamix", 5);
    BatchWriter.standard().write(local, BatchFormat.CSV, expected);

    Path home = sparkHome();
    String master = master(home);
    Process first = worker(home, master, 1);
    worker(home, master, 2);
    Path picks = folder.resolve("picks.csv");
    Process job = submit(home, master, picks);
    await("half of the pass", job, () -> Files.exists(folder.resolve("halfway")));
    List<ProcessHandle> executors = first.descendants().toList();
    assertEquals(1, executors.size(), "number of executors of the worker");
    first.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
    await("the loss of the executor", job, () -> Files.exists(folder.resolve("lost")));

    assertTrue(job.waitFor(5, TimeUnit.MINUTES), "the job did not finish");
    assertEquals(0, job.exitValue(), () -> log("job"));
    assertEquals(Files.readString(expected), Files.readString(picks));
    int before = Integer.parseInt(Files.readString(folder.resolve("lost")));
    int after = Integer.parseInt(Files.readString(folder.resolve("after")));
    assertTrue(
        before < FILES, "expected a kill before the end, killed after " + before + " of " + FILES);
    assertTrue(before + after >= FILES, "expected all tasks to finish: " + before + " + " + after);
  }

  @Test
  void executorsReleaseTheirCachesAfterASelection() throws Exception {
    SparkTables.Case pool = SparkTables.clouds(12_000, 16, 4, 100, 5);
    pool.table(4).write().parquet(folder.resolve("pool").toString());
    Path home = sparkHome();
    String master = master(home);
    worker(home, master, 1);
    // The program and the job are loaded by the same class loader.
    String classes = Path.of("target/test-classes").toAbsolutePath() + ":" + JOB.toAbsolutePath();
    Process job =
        submit(
            home,
            master,
            List.of("-Xmx600m", "--add-modules=jdk.incubator.vector"),
            "--conf",
            "spark.executor.extraClassPath=" + classes,
            "--class",
            CacheReleaseProgram.class.getName(),
            JOB.toString(),
            folder.resolve("pool").toString());
    assertTrue(job.waitFor(3, TimeUnit.MINUTES), "the job did not finish");
    assertEquals(0, job.exitValue(), () -> log("job"));
    assertTrue(log("job").contains("over the pool; the picks are exact"), log("job"));
    assertTrue(log("job").contains("cached after the selection: 0"), log("job"));
  }

  /** Creates an installation of Spark with its jars but not those of alfamix. */
  private Path sparkHome() throws IOException {
    Path jars = Files.createDirectories(folder.resolve("spark/jars"));
    for (String entry : Files.readString(Path.of("target/class-path")).strip().split(":")) {
      Path jar = Path.of(entry).toAbsolutePath();
      String name = jar.getFileName().toString();
      if (name.endsWith(".jar") && !name.startsWith("alfamix-") && !name.startsWith("picocli")) {
        Files.createSymbolicLink(jars.resolve(name), jar);
      }
    }
    return jars.getParent();
  }

  private String master(Path home) throws Exception {
    Process process =
        start(
            "master",
            home,
            List.of(),
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0");
    Pattern address = Pattern.compile("spark://127\\.0\\.0\\.1:\\d+");
    String[] found = new String[1];
    await(
        "the master",
        process,
        () -> {
          Matcher matcher = address.matcher(log("master"));
          found[0] = matcher.find() ? matcher.group() : null;
          return found[0] != null;
        });
    return found[0];
  }

  private Process worker(Path home, String master, int number) throws Exception {
    Process process =
        start(
            "worker" + number,
            home,
            List.of(),
            "org.apache.spark.deploy.worker.Worker",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--webui-port",
            "0",
            "--cores",
            "1",
            "--memory",
            "1g",
            "--work-dir",
            folder.resolve("work" + number).toString(),
            master);
    await(
        "worker " + number,
        process,
        () -> log("worker" + number).contains("Successfully registered with master"));
    return process;
  }

  private Process submit(Path home, String master, Path picks) throws IOException {
    return submit(
        home,
        master,
        List.of(
            "-Xmx1g",
            "-Dalfamix.halfway=" + folder,
            "--add-modules=jdk.incubator.vector",
            // Lets the driver report its progress to this test.
            "-Dspark.extraListeners=" + ProgressListener.class.getName()),
        "--conf",
        "spark.sql.files.openCostInBytes=128m",
        JOB.toString(),
        "select",
        "--embeddings",
        folder.resolve("pool").toString(),
        "--label-column",
        "label",
        "--budget",
        "60",
        "--seed",
        "5",
        "--output",
        picks.toString());
  }

  private Process submit(Path home, String master, List<String> flags, String... job)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--master",
                master,
                "--conf",
                "spark.executor.memory=700m",
                "--conf",
                "spark.executor.cores=1",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.serializer=org.apache.spark.serializer.KryoSerializer",
                "--conf",
                "spark.driver.host=127.0.0.1",
                "--conf",
                "spark.driver.bindAddress=127.0.0.1",
                "--conf",
                "spark.executor.extraJavaOptions=--add-modules=jdk.incubator.vector"));
    arguments.addAll(List.of(job));
    return start(
        "job",
        home,
        flags,
        "org.apache.spark.deploy.SparkSubmit",
        arguments.toArray(String[]::new));
  }

  private Process start(
      String name, Path home, List<String> flags, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Xmx300m");
    command.addAll(
        Files.readAllLines(Path.of("../alfamix-cli/src/main/launcher/spark.args")).stream()
            .filter(line -> !line.startsWith("#") && !line.contains("log4j2"))
            .toList());
    command.add("-Dlog4j2.configurationFile=org/apache/spark/log4j2-defaults.properties");
    command.addAll(flags);
    command.add("-cp");
    command.add(
        home.resolve("jars/*")
            + File.pathSeparator
            + Path.of("target/test-classes").toAbsolutePath()
            // A program of this test needs the job's classes in its own class loader.
            + (List.of(arguments).contains("--class")
                ? File.pathSeparator + JOB.toAbsolutePath()
                : ""));
    command.add(main);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.redirectErrorStream(true).redirectOutput(folder.resolve(name + ".log").toFile());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private String log(String name) {
    try {
      return Files.readString(folder.resolve(name + ".log"));
    } catch (IOException e) {
      return "";
    }
  }

  private void await(String what, Process process, Supplier<Boolean> there)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!there.get()) {
      boolean inTime = System.nanoTime() - start < TimeUnit.MINUTES.toNanos(3);
      if (!inTime || !process.isAlive()) {
        String logs =
            String.join("\n", Stream.of("master", "worker1", "job").map(this::log).toList());
        throw new AssertionError("Timed out waiting for " + what + ":\n" + logs);
      }
      Thread.sleep(20);
    }
  }
}
