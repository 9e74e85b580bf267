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

/** Whether runs that were made again say the same as those that were kept, but for times. */
public final class Rerun {
  private final List<String> different = new ArrayList<>();
  private final List<String> left = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int runs;
  private int rounds;

  private Rerun() {}

  /**
   * What came of it.
   *
   * @param runs how many runs were compared, in a round at least
   * @param rounds how many rounds of those say the same
   * @param different the runs that part at some round, in words
   * @param left the runs that were made again but have nothing to be compared with, and why
   * @param broken the runs that cannot be read, and why
   */
  public record Summary(
      int runs, int rounds, List<String> different, List<String> left, List<String> broken) {}

  /**
   * Compares all runs that both folders have, as far as both go.
   *
   * @throws DataException where there is not one round to compare
   */
  public static Summary compare(Path kept, Path again) {
    Rerun rerun = new Rerun();
    RunFolder.settings(kept); // or it says what is wrong
    for (Path own : RunFolder.settings(again)) {
      for (Path file : RunFile.list(own)) {
        rerun.compareRun(file, kept.resolve(own.getFileName()).resolve(file.getFileName()));
      }
    }
    if (rerun.runs == 0) {
      throw new DataException(
          "%s has no round that %s has, too%s"
              .formatted(
                  again,
                  kept,
                  Stream.concat(rerun.broken.stream(), rerun.left.stream())
                      .findFirst()
                      .map(why -> ": " + why + ".")
                      .orElse(".")));
    }
    return new Summary(
        rerun.runs,
        rerun.rounds,
        List.copyOf(rerun.different),
        List.copyOf(rerun.left),
        List.copyOf(rerun.broken));
  }

  private void compareRun(Path again, Path kept) {
    String shown = again.getParent().getFileName() + "/" + again.getFileName();
    try {
      Optional<RunFile> now = RunFile.read(again);
      Optional<RunFile> then =
          Files.isDirectory(kept.getParent()) ? RunFile.read(kept) : Optional.empty();
      if (then.isEmpty()) {
        left.add(shown + ": it was not kept");
        return;
      }
      int common =
          Math.min(now.map(run -> run.rounds().size()).orElse(0), then.get().rounds().size());
      if (common == 0) {
        left.add(shown + ": it has no round yet");
        return;
      }
      String other = then.get().header().difference(now.get().header());
      if (!other.isEmpty()) {
        left.add(shown + ": it was run with " + other);
        return;
      }
      int same = same(then.get(), now.get());
      runs++;
      rounds += same;
      if (same < common) {
        different.add(difference(then.get(), now.get(), same));
      }
    } catch (DataException e) {
      broken.add(e.getMessage().replaceFirst("\\.$", ""));
    }
  }

  /** How many rounds from the first on say the same. */
  static int same(RunFile then, RunFile now) {
    int common = Math.min(then.rounds().size(), now.rounds().size());
    for (int r = 0; r < common; r++) {
      if (!facts(then, now, r).equals(facts(now, then, r))) {
        return r;
      }
    }
    return common;
  }

  /** Where one of the two ends, nothing was picked; that is no difference. */
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
        "%s, %s, seed %d: other from round %d on (%s), accuracy %.2f %%, now %.2f %%%s",
        then.header().setting(),
        then.header().method().label(),
        then.header().seed(),
        round,
        what,
        100 * then.rounds().get(round).accuracy(),
        100 * now.rounds().get(round).accuracy(),
        makers(maker(then, round), maker(now, round)));
  }

  /** What made a round, which may not be what made the first one. */
  private static Provenance maker(RunFile run, int round) {
    Map<String, String> facts = new LinkedHashMap<>(run.header().provenance().facts());
    facts.putAll(run.rounds().get(round).madeBy());
    return new Provenance(facts);
  }

  private static String makers(Provenance then, Provenance now) {
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
