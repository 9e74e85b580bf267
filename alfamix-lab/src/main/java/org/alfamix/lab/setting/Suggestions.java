package org.alfamix.lab.setting;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What people may have meant. */
final class Suggestions {
  private Suggestions() {}

  /** The word that is nearest to a misspelt one, where one is near at all. */
  static Optional<String> nearest(String word, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(word, other)))
        .filter(other -> distance(word, other) <= Math.max(2, word.length() / 2));
  }

  /** How many letters must be added, removed or changed (V. Levenshtein). */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
