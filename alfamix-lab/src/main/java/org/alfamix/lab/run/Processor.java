package org.alfamix.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The name of the processor, on which the order of floating-point sums may depend. */
public final class Processor {
  private Processor() {}

  /** Returns the model name if the system provides it, otherwise the architecture. */
  public static String name() {
    Path file = Path.of("/proc/cpuinfo");
    if (Files.isReadable(file)) {
      try (Stream<String> lines = Files.lines(file)) {
        return lines
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
      } catch (IOException e) {
        // fall back to the architecture
      }
    }
    return System.getProperty("os.arch");
  }
}
