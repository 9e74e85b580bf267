package org.alfamix.lab.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.io.DataException;

/** Compares repeated runs with stored ones, except for times. */
public final class Rerun {
  private final List<String> different = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int runs;
  private int rounds;

  private Rerun() {}

  /**
   * The result of a comparison.
   *
   * @param runs number of runs with at least one common round
   * @param rounds number of their identical rounds
   * @param different descriptions of runs that differ from some round on
   * @param skipped repeated runs that could not be compared, with reasons
   * @param broken unreadable runs, with reasons
   */
  public record Summary(
      int runs, int rounds, List<String> different, List<String> skipped, List<String> broken) {}

  /**
   * Compares all runs that both folders have, up to their last common round.
   *
   * @throws DataException if there is no round to compare
   */
  public static Summary compare(Path kept, Path again) {
    Rerun rerun = new Rerun();
    RunFolder.settings(kept); // fails if it is not a folder of results
    for (Path own : RunFolder.settings(again)) {
      for (Path file : RunFile.list(own)) {
        rerun.compareRun(file, kept.resolve(own.getFileName()).resolve(file.getFileName()));
      }
    }
    if (rerun.runs == 0) {
      throw new DataException(
          "%s has no round in common with %s%s"
              .formatted(
                  again,
                  kept,
                  Stream.concat(rerun.broken.stream(), rerun.skipped.stream())
                      .findFirst()
                      .map(why -> ": " + why + ".")
                      .orElse(".")));
    }
    return new Summary(
        rerun.runs,
        rerun.rounds,
        List.copyOf(rerun.different),
        List.copyOf(rerun.skipped),
        List.copyOf(rerun.broken));
  }

  private void compareRun(Path again, Path kept) {
    String shown = again.getParent().getFileName() + "/" + again.getFileName();
    try {
      Optional<RunFile> now = RunFile.read(again);
      Optional<RunFile> then =
          Files.isDirectory(kept.getParent()) ? RunFile.read(kept) : Optional.empty();
      if (then.isEmpty()) {
        skipped.add(shown + ": no archived run to compare with");
        return;
      }
      int common =
          Math.min(now.map(run -> run.rounds().size()).orElse(0), then.get().rounds().size());
      if (common == 0) {
        skipped.add(shown + ": no completed round yet");
        return;
      }
      String difference = then.get().header().difference(now.get().header());
      if (!difference.isEmpty()) {
        skipped.add(shown + ": the archived run used " + difference);
        return;
      }
      int same = equalRounds(then.get(), now.get());
      runs++;
      rounds += same;
      if (same < common) {
        different.add(difference(then.get(), now.get(), same));
      }
    } catch (DataException e) {
      broken.add(e.getMessage().replaceFirst("\\.$", ""));
    }
  }

  /** Returns the number of identical rounds, counted from the first one. */
  static int equalRounds(RunFile then, RunFile now) {
    int common = Math.min(then.rounds().size(), now.rounds().size());
    for (int r = 0; r < common; r++) {
      if (!facts(then, now, r).equals(facts(now, then, r))) {
        return r;
      }
    }
    return common;
  }

  /** Returns the facts of a round; picks are included only if both runs have them. */
  private static Map<String, String> facts(RunFile run, RunFile other, int round) {
    return run.rounds().get(round).facts(other.rounds().get(round).query().isPresent());
  }

  private static String difference(RunFile then, RunFile now, int round) {
    Map<String, String> before = facts(then, now, round);
    String what =
        facts(now, then, round).entrySet().stream()
            .filter(fact -> !fact.getValue().equals(before.get(fact.getKey())))
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s, %s, seed %d: differs from round %d onwards (%s): accuracy %.2f %%, now %.2f %%%s",
        then.header().setting(),
        then.header().method().label(),
        then.header().seed(),
        round,
        what,
        100 * then.rounds().get(round).accuracy(),
        100 * now.rounds().get(round).accuracy(),
        changes(provenance(then, round), provenance(now, round)));
  }

  /** Returns the provenance of a round, which may differ from that of the first one. */
  private static Provenance provenance(RunFile run, int round) {
    Map<String, String> facts = new LinkedHashMap<>(run.header().provenance().facts());
    facts.putAll(run.rounds().get(round).madeBy());
    return new Provenance(facts);
  }

  private static String changes(Provenance then, Provenance now) {
    Map<String, String> changes = then.changes(now);
    return changes.isEmpty()
        ? ""
        : changes.entrySet().stream()
            .map(
                change ->
                    "%s '%s', now '%s'"
                        .formatted(change.getKey(), then.fact(change.getKey()), change.getValue()))
            .collect(Collectors.joining("; ", " (", ")"));
  }
}
