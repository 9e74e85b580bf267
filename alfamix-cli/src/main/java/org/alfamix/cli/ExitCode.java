package org.alfamix.cli;

/** What the exit codes mean. */
public final class ExitCode {
  public static final int DONE = 0;
  static final int INTERNAL = 1;
  static final int USAGE = 2;
  static final int BAD_DATA = 3;

  /** No memory, no disk space, no right to write. */
  static final int RESOURCE = 4;

  private ExitCode() {}
}
