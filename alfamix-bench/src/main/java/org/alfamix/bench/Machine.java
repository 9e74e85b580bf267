package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.alfamix.math.Kernels;

/** Where a figure was measured: without that it is worth nothing. */
final class Machine {
  private Machine() {}

  static String description() {
    return "%s, %d processors, %s, Java %s, kernels %s"
        .formatted(
            processor(),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(ZoneOffset.UTC),
            System.getProperty("java.version"),
            Kernels.description());
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
