package org.alfamix.bench;

import org.alfamix.command.Subcommand;

/** Registers {@code alfamix bench} with the command line. */
public final class BenchSubcommand implements Subcommand {

  @Override
  public String name() {
    return "bench";
  }

  @Override
  public Object create() {
    return new BenchCommand();
  }
}
