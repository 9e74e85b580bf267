package org.alfamix.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the device and the threads of a network. */
final class DeviceOptions {
  private static final int MAX_THREADS = 256;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private DeviceOption device;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description =
          "Number of threads; 0 for one per processor. The weights depend on this number in their"
              + " last digits.",
      defaultValue = "0")
  private int threads;

  String name() {
    return device.name();
  }

  int threads() {
    if (threads < 0 || threads > MAX_THREADS) {
      throw new ParameterException(
          spec.commandLine(), "--threads must be 0 to %d, got %d.".formatted(MAX_THREADS, threads));
    }
    return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
  }
}
