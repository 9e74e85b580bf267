package org.alfamix.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What computes: sums may be taken in another order on another processor. */
public final class Processor {
  private Processor() {}

  /** Its name where the system tells, its kind elsewhere. */
  public static String name() {
    Path told = Path.of("/proc/cpuinfo");
    if (Files.isReadable(told)) {
      try (Stream<String> lines = Files.lines(told)) {
        return lines
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 1).strip())
            .findFirst()
            .orElse(System.getProperty("os.arch"));
      } catch (IOException e) {
        // its kind must do
      }
    }
    return System.getProperty("os.arch");
  }
}
