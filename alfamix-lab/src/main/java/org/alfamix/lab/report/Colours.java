package org.alfamix.lab.report;

import java.util.List;

/** Which colour and mark a method has: the same in all figures of a page. */
final class Colours {
  /** How many colours the page defines. */
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
   * The colour of a method among those it is compared with: a well-known one has its own, others
   * take those that are left.
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
