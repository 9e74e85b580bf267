package org.alfamix.command;

/**
 * A subcommand of {@code alfamix} in a separate module, found by {@link java.util.ServiceLoader}.
 */
public interface Subcommand {

  /** Returns the name of the subcommand. */
  String name();

  /** Returns the command, an object with picocli's annotations. */
  Object create();
}
