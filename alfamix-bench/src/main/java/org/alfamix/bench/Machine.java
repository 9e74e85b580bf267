package org.alfamix.bench;

import java.time.LocalDate;
import java.time.ZoneOffset;
import org.alfamix.lab.run.Processor;
import org.alfamix.math.Kernels;

/** Describes the machine of a measurement, without which the numbers cannot be compared. */
final class Machine {
  private Machine() {}

  static String description() {
    return "%s, %d processors, %s, Java %s, kernels %s"
        .formatted(
            Processor.name(),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(ZoneOffset.UTC),
            System.getProperty("java.version"),
            Kernels.description());
  }
}
