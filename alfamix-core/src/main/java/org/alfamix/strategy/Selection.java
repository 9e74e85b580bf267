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
 * @param picks the chosen items, in the order in which they should be labelled
 * @param candidates how many items were eligible after the method's own test; the pool for most
 *     methods
 * @param toppedUp how many picks were drawn at random because there were too few candidates
 * @param diagnostics details that only this method has
 * @param notes how the method went about it where it had a choice, by topic; what was approximated
 *     is said here
 * @param seconds the time of each phase, in order
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

  /** Returns the details of a method by their type; empty where the method has no such details. */
  public <D extends Diagnostics> Optional<D> diagnostics(Class<D> type) {
    return diagnostics.filter(type::isInstance).map(type::cast);
  }

  /** The rows of the chosen items, in order. */
  public int[] items() {
    return picks.stream().mapToInt(Pick::item).toArray();
  }

  /** Begins to record a selection; the first phase starts now. */
  public static Recorder record() {
    return new Recorder();
  }

  /** Collects a selection while a method runs, and the time its phases take. */
  public static final class Recorder {
    private final List<Pick> picks = new ArrayList<>();
    private final Map<String, Double> seconds = new LinkedHashMap<>();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private int candidates;
    private int toppedUp;
    private Diagnostics diagnostics;
    private long phaseStart = System.nanoTime();

    private Recorder() {}

    /** Ends a phase that began with the end of the one before. */
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

    /** Attaches details that only this method has. */
    public Recorder diagnostics(Diagnostics diagnostics) {
      this.diagnostics = diagnostics;
      return this;
    }

    /** How the method went about something. */
    public Recorder note(String topic, String what) {
      notes.put(topic, what);
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
