package org.alfamix.cli;

import picocli.CommandLine.Option;

/** The option for the device of a network. */
final class DeviceOption {
  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description = "The device of the network: auto (a GPU if available), cpu or cuda:N.",
      defaultValue = "auto")
  private String device;

  String name() {
    return device;
  }
}
