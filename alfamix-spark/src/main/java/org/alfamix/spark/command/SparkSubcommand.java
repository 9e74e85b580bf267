package org.alfamix.spark.command;

import org.alfamix.command.Subcommand;

/** Registers {@code alfamix spark} with the command line. */
public final class SparkSubcommand implements Subcommand {

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public Object create() {
    return new SparkCommand();
  }
}
