package org.alfamix.command;

/**
 * What is known of where standard error goes; the launcher looks before it puts a filter in
 * between.
 */
public final class Terminal {
  private static final int USUAL_COLUMNS = 80;

  private Terminal() {}

  /** Whether a person watches; without the launcher, ask for a console. */
  public static boolean isThere() {
    String told = System.getProperty("alfamix.terminal");
    return told == null ? System.console() != null : Boolean.parseBoolean(told);
  }

  /** How many letters a line has. */
  public static int columns() {
    int told = Integer.getInteger("alfamix.columns", 0);
    return told >= 20 ? told : USUAL_COLUMNS;
  }
}
