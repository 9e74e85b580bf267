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

/** The outcome of a choice while it is made. */
final class Chosen {
  private final List<Item> picks = new ArrayList<>();
  private final Map<String, String> notes = new LinkedHashMap<>();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private Totals totals = Totals.NONE;
  private long candidates = -1;
  private double cap = Double.NaN;
  private int toppedUp;

  /** A pick and the item it is. */
  record Item(Comparable<?> id, Pick pick) {}

  /**
   * What the pool has turned out to be.
   *
   * @throws DataException where there are bad rows that may not be skipped
   * @throws InvalidRequestException where the pool is smaller than the budget
   */
  Chosen pool(Totals found, int budget, boolean skipBad) {
    totals = found;
    if (found.bad().count() > 0 && !skipBad) {
      throw new DataException(sentence(found.bad().describe()));
    }
    if (budget > found.rows()) {
      throw new InvalidRequestException(
          "budget",
          "is %d, but the pool has only %d unlabelled items%s."
              .formatted(
                  budget,
                  found.rows(),
                  found.bad().count() > 0
                      ? " (%d bad rows are left out)".formatted(found.bad().count())
                      : ""));
    }
    String here = Kernels.description();
    if (!found.kernels().isEmpty() && !found.kernels().equals(Set.of(here))) {
      notes.put(
          "kernels",
          "executors ran %s, the driver %s: candidates at the very edge of a cap may differ"
              .formatted(String.join(" and ", found.kernels()), here));
    }
    return this;
  }

  static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  static String passes(int count) {
    return count == 1 ? "one pass" : count + " passes";
  }

  Chosen pick(Comparable<?> id, Pick pick) {
    picks.add(new Item(id, pick));
    return this;
  }

  Chosen note(String topic, String what) {
    notes.put(topic, what);
    return this;
  }

  Chosen candidates(long candidates, double cap) {
    this.candidates = candidates;
    this.cap = cap;
    return this;
  }

  Chosen toppedUp(int count) {
    this.toppedUp = count;
    return this;
  }

  Chosen seconds(String phase, double taken) {
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
