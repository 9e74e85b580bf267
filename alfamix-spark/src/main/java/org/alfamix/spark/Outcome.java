package org.alfamix.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.Kernels;
import org.alfamix.strategy.Pick;

/** The result of a selection while it is computed. */
final class Outcome {
  private final List<Item> picks = new ArrayList<>();
  private final Map<String, String> notes = new LinkedHashMap<>();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private Totals totals = Totals.NONE;
  private long candidates = -1;
  private double cap = Double.NaN;
  private int toppedUp;

  /** A pick with the id of its item. */
  record Item(Comparable<?> id, Pick pick) {}

  /**
   * Sets the totals of the pool and checks them.
   *
   * @throws DataException if there are invalid rows that must not be skipped
   * @throws InvalidRequestException if the pool is smaller than the budget
   */
  Outcome checkPool(Totals found, int budget, boolean skipBad) {
    totals = found;
    if (found.bad().count() > 0 && !skipBad) {
      throw new DataException(capitalize(found.bad().describe()));
    }
    if (budget > found.rows()) {
      throw new InvalidRequestException(
          "budget",
          "is %,d, but the pool has only %,d unlabelled items%s."
              .formatted(
                  budget,
                  found.rows(),
                  found.bad().count() > 0
                      ? " (%,d invalid rows were skipped)".formatted(found.bad().count())
                      : ""));
    }
    String here = Kernels.description();
    if (!found.kernels().isEmpty() && !found.kernels().equals(Set.of(here))) {
      notes.put(
          "kernels",
          "the executors used %s, the driver %s; candidates at the boundary of a cap may differ"
              .formatted(String.join(" and ", found.kernels()), here));
    }
    return this;
  }

  static String capitalize(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  static String describePasses(int count) {
    return count == 1 ? "one pass" : count + " passes";
  }

  Outcome pick(Comparable<?> id, Pick pick) {
    picks.add(new Item(id, pick));
    return this;
  }

  Outcome note(String topic, String text) {
    notes.put(topic, text);
    return this;
  }

  Outcome candidates(long candidates, double cap) {
    this.candidates = candidates;
    this.cap = cap;
    return this;
  }

  Outcome toppedUp(int count) {
    this.toppedUp = count;
    return this;
  }

  Outcome seconds(String phase, double taken) {
    seconds.merge(phase, taken, Double::sum);
    return this;
  }

  Map<String, Double> seconds() {
    return seconds;
  }

  List<Item> picks() {
    return picks;
  }

  Map<String, String> notes() {
    return notes;
  }

  Totals totals() {
    return totals;
  }

  long candidates() {
    return candidates < 0 ? totals.rows() : candidates;
  }

  double cap() {
    return cap;
  }

  int toppedUp() {
    return toppedUp;
  }
}
