package org.alfamix.lab.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.data.DataException;

/** Whether runs that were made again say the same as those that were kept, but for times. */
public final class Rerun {
  private Rerun() {}

  /**
   * What came of it.
   *
   * @param runs how many runs both folders have
   * @param rounds how many rounds of those say the same
   * @param different the runs that part at some round, in words
   */
  public record Summary(int runs, int rounds, List<String> different) {}

  /**
   * Compares all runs that both folders have, as far as both go.
   *
   * @throws DataException where there are none
   */
  public static Summary compare(Path kept, Path again) {
    List<String> different = new ArrayList<>();
    int runs = 0;
    int rounds = 0;
    for (Path own : folders(again)) {
      Path other = kept.resolve(own.getFileName());
      if (!Files.isDirectory(other)) {
        continue;
      }
      for (Path file : RunFile.list(own)) {
        Optional<RunFile> now = RunFile.read(file);
        Optional<RunFile> then = RunFile.read(other.resolve(RunFile.open(file).getFileName()));
        if (now.isPresent() && then.isPresent()) {
          runs++;
          int same = same(then.get(), now.get());
          rounds += same;
          if (same < Math.min(then.get().rounds().size(), now.get().rounds().size())) {
            different.add(difference(own.getFileName(), then.get(), now.get(), same));
          }
        }
      }
    }
    if (runs == 0) {
      throw new DataException("%s has no run that %s has, too.".formatted(again, kept));
    }
    return new Summary(runs, rounds, different);
  }

  private static List<Path> folders(Path runs) {
    try (Stream<Path> files = Files.list(runs)) {
      return files.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw DataException.unreadable(runs, e);
    }
  }

  /** How many rounds from the first on say the same. */
  private static int same(RunFile then, RunFile now) {
    String other = then.header().difference(now.header());
    if (!other.isEmpty()) {
      throw new DataException(
          "%s and %s are not runs of the same: %s.".formatted(then.path(), now.path(), other));
    }
    int common = Math.min(then.rounds().size(), now.rounds().size());
    for (int r = 0; r < common; r++) {
      Round first = then.rounds().get(r);
      Round second = now.rounds().get(r);
      // Where one of them ends, nothing was picked.
      boolean query = first.query().isPresent() && second.query().isPresent();
      if (!first.essence(query).equals(second.essence(query))) {
        return r;
      }
    }
    return common;
  }

  private static String difference(Path setting, RunFile then, RunFile now, int round) {
    Map<String, String> changes = then.header().provenance().changes(now.header().provenance());
    String makers =
        changes.isEmpty()
            ? ""
            : changes.entrySet().stream()
                .map(
                    change ->
                        "%s '%s', now '%s'"
                            .formatted(
                                change.getKey(),
                                then.header().provenance().fact(change.getKey()),
                                change.getValue()))
                .collect(Collectors.joining("; ", " (", ")"));
    return String.format(
        Locale.ROOT,
        "%s, %s, seed %d: other from round %d on, accuracy %.2f %%, now %.2f %%%s",
        setting,
        then.header().method().label(),
        then.header().seed(),
        round,
        100 * then.rounds().get(round).accuracy(),
        100 * now.rounds().get(round).accuracy(),
        makers);
  }
}
