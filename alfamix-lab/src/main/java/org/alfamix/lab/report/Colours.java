package org.alfamix.lab.report;

import java.util.List;

/** Colours and marks of methods, which are the same in all figures of a page. */
final class Colours {
  /** The number of colours that the page defines. */
  static final int COUNT = 11;

  private static final List<String> KNOWN =
      List.of(
          "alfamix",
          "random",
          "entropy",
          "badge",
          "coreset",
          "cdal",
          "gcnal",
          "bald",
          "dfal",
          "margin",
          "least-confidence");

  private Colours() {}

  /**
   * Returns the colour of a method among the compared ones: well-known methods have fixed colours,
   * others use the remaining ones.
   */
  static int of(String label, List<String> all) {
    int known = KNOWN.indexOf(label);
    if (known >= 0) {
      return known;
    }
    List<Integer> taken = all.stream().map(KNOWN::indexOf).filter(index -> index >= 0).toList();
    int free = 0;
    for (String other : all) {
      if (KNOWN.contains(other)) {
        continue;
      }
      while (taken.contains(free) && free < COUNT) {
        free++;
      }
      if (other.equals(label)) {
        return free % COUNT;
      }
      free++;
    }
    return 0;
  }

  static String style(int colour) {
    return "c" + colour % COUNT;
  }
}
