package org.alfamix.spark.command;

import org.alfamix.command.Subcommand;

/** Makes {@code alfamix spark} known to the command line. */
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
