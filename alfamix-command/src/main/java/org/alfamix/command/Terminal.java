package org.alfamix.command;

/**
 * Properties of standard error. The launcher determines them, because it puts a filter between Java
 * and the terminal.
 */
public final class Terminal {
  private static final int DEFAULT_COLUMNS = 80;

  /** Smaller values are not plausible and ignored. */
  private static final int MIN_COLUMNS = 20;

  private Terminal() {}

  /**
   * Returns whether standard error is a terminal; without the launcher, whether Java has a console.
   */
  public static boolean isInteractive() {
    String value = System.getProperty("alfamix.terminal");
    return value == null ? System.console() != null : Boolean.parseBoolean(value);
  }

  /** Returns the width of the terminal in characters. */
  public static int columns() {
    int columns = Integer.getInteger("alfamix.columns", 0);
    return columns >= MIN_COLUMNS ? columns : DEFAULT_COLUMNS;
  }
}
