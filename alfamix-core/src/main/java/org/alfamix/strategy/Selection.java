package org.alfamix.strategy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a query.
 *
 * @param picks the selected items, in the order in which they should be labelled
 * @param candidates number of items that passed the test of the strategy; the whole pool for most
 *     strategies
 * @param toppedUp number of random picks that were added because there were too few candidates
 * @param diagnostics details that are specific to the strategy
 * @param notes how the strategy computed the selection, by topic, including any approximations
 * @param seconds the duration of each phase, in order
 */
public record Selection(
    List<Pick> picks,
    int candidates,
    int toppedUp,
    Optional<Diagnostics> diagnostics,
    Map<String, String> notes,
    Map<String, Double> seconds) {

  static final Selection EMPTY =
      new Selection(List.of(), 0, 0, Optional.empty(), Map.of(), Map.of());

  public Selection {
    picks = List.copyOf(picks);
    notes = Collections.unmodifiableMap(new LinkedHashMap<>(notes));
    seconds = Collections.unmodifiableMap(new LinkedHashMap<>(seconds));
  }

  /** Returns the diagnostics of the given type; empty if the strategy does not have any. */
  public <D extends Diagnostics> Optional<D> diagnostics(Class<D> type) {
    return diagnostics.filter(type::isInstance).map(type::cast);
  }

  /** Returns the rows of the selected items, in order. */
  public int[] items() {
    return picks.stream().mapToInt(Pick::item).toArray();
  }

  /** Starts recording a selection and its first phase. */
  public static Recorder record() {
    return new Recorder();
  }

  /** Records the picks of a running strategy and the duration of its phases. */
  public static final class Recorder {
    private final List<Pick> picks = new ArrayList<>();
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private int candidates;
    private int toppedUp;
    private Diagnostics diagnostics;
    private long phaseStart = System.nanoTime();

    private Recorder() {}

    /** Ends the current phase, which started at the end of the previous one. */
    public Recorder phase(String name) {
      long now = System.nanoTime();
      seconds.merge(name, (now - phaseStart) / 1e9, Double::sum);
      phaseStart = now;
      return this;
    }

    public Recorder candidates(int candidates) {
      this.candidates = candidates;
      return this;
    }

    /** Attaches details that are specific to the strategy. */
    public Recorder diagnostics(Diagnostics diagnostics) {
      this.diagnostics = diagnostics;
      return this;
    }

    /** Records how the strategy computed the selection. */
    public Recorder note(String topic, String text) {
      notes.put(topic, text);
      return this;
    }

    public Recorder toppedUp(int toppedUp) {
      this.toppedUp = toppedUp;
      return this;
    }

    public Recorder pick(Pick pick) {
      picks.add(pick);
      return this;
    }

    public Selection finish() {
      return new Selection(
          picks, candidates, toppedUp, Optional.ofNullable(diagnostics), notes, seconds);
    }
  }
}
