package org.alfamix.io;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggestions for misspelled words. */
public final class Suggestions {
  private Suggestions() {}

  /** Returns the known word that is nearest to a misspelled one; empty if none is similar. */
  public static Optional<String> nearest(String word, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(word, other)))
        .filter(other -> distance(word, other) <= Math.max(2, word.length() / 2));
  }

  /** Returns the Levenshtein distance: the number of letters to insert, delete or replace. */
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
