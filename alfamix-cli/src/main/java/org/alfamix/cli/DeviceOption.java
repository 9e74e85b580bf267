package org.alfamix.cli;

import picocli.CommandLine.Option;

/** The option that says where a network computes. */
final class DeviceOption {
  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description = "auto (a GPU where there is one), cpu, or cuda:N.",
      defaultValue = "auto")
  private String device;

  String name() {
    return device;
  }
}
