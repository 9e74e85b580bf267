package org.alfamix.command;

/** What is printed for people to type. */
public final class Shell {
  private Shell() {}

  /** The command as it was called, for hints to be typed. */
  public static String alfamix() {
    String called = System.getenv("ALFAMIX_COMMAND");
    return called == null || called.isBlank() ? "alfamix" : quote(called);
  }

  /** A word as a shell takes it: in quotes where it must be. */
  public static String quote(String word) {
    return word.matches("[\\w./:@%+=,~-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
