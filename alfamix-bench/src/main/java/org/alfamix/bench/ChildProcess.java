package org.alfamix.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts other processes and returns the last line of their output. */
final class ChildProcess {
  private ChildProcess() {}

  /** Runs {@code alfamix bench} with these arguments in a JVM of the same version. */
  static String bench(List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("--add-modules=jdk.incubator.vector");
    command.addAll(jvmOptions);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), BenchCommand.class.getName()));
    command.addAll(arguments);
    return run(command, Map.of());
  }

  static String run(List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes());
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            "%s failed with exit code %d: %s".formatted(String.join(" ", command), code, output));
      }
      String[] lines = output.strip().split("\n");
      return lines[lines.length - 1];
    } catch (IOException e) {
      throw new IllegalStateException("Cannot run " + command.get(0) + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for " + command.get(0) + ".", e);
    }
  }
}
