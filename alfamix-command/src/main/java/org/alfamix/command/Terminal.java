package org.alfamix.command;

/** Properties of standard error, which the launcher determines before it adds a filter. */
public final class Terminal {
  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /**
   * Returns whether standard error is a terminal; without the launcher, whether there is a console.
   */
  public static boolean isThere() {
    String told = System.getProperty("alfamix.terminal");
    return told == null ? System.console() != null : Boolean.parseBoolean(told);
  }

  /** Returns the width of the terminal in characters. */
  public static int columns() {
    int told = Integer.getInteger("alfamix.columns", 0);
    return told >= 20 ? told : USUAL_COLUMNS;
  }
}
