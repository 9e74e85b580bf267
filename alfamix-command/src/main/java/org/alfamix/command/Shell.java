package org.alfamix.command;

/** Shell commands that are printed as hints. */
public final class Shell {
  private Shell() {}

  /** Returns the command as it was called, for hints. */
  public static String alfamix() {
    String called = System.getenv("ALFAMIX_COMMAND");
    return called == null || called.isBlank() ? "alfamix" : quote(called);
  }

  /** Returns a word for a shell, in quotes if necessary. */
  public static String quote(String word) {
    return word.matches("[\\w./:@%+=,~-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
