package org.alfamix.command;

/**
 * A subcommand of {@code alfamix} that comes in a module of its own, found by {@link
 * java.util.ServiceLoader}.
 */
public interface Subcommand {

  /** What is typed after {@code alfamix}. */
  String name();

  /** Returns the command, an object with picocli's annotations. */
  Object create();
}
