package org.alfamix.cli;

/** What is printed for people to type. */
final class Shell {
  private Shell() {}

  /** A word as a shell takes it: in quotes where it must be. */
  static String quote(String word) {
    return word.matches("[\\w./:@%+=,~-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
