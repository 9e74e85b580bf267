package org.alfamix.studio.command;

import org.alfamix.command.Subcommand;

/** Registers {@code alfamix studio} with the command line. */
public final class StudioSubcommand implements Subcommand {

  @Override
  public String name() {
    return "studio";
  }

  @Override
  public Object create() {
    return new StudioCommand();
  }
}
