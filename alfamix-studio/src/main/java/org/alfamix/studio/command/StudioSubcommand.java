package org.alfamix.studio.command;

import org.alfamix.command.Subcommand;

/** Makes {@code alfamix studio} known to the command line. */
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
