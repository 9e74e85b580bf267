package org.alfamix.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.Setting;

/**
 * Puts finished runs into a folder that is to be kept, as beside a paper or in a repository:
 * packed, with their settings and pictures of latent spaces. Such a folder is one of results like
 * any other.
 *
 * <p>What the folder says already is never changed: a run that says something else, by its numbers,
 * its data or its setting, is refused.
 */
public final class Archive {
  private static final int NAMED = 3;

  private final Path target;
  private final List<String> left = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int packed;

  private Archive(Path target) {
    this.target = target;
  }

  /**
   * What was done.
   *
   * @param packed how many runs the folder has now of those that were given
   * @param left those that are not finished, in words
   * @param broken those that cannot be read or do not belong where they are, in words
   */
  public record Summary(int packed, List<String> left, List<String> broken) {}

  /**
   * Packs all finished runs of a folder. What the other folder has besides stays, also where it has
   * more rounds of a run.
   *
   * @param target where to; may be the folder itself
   * @throws DataException where there are none, or where the other folder contradicts
   */
  public static Summary pack(Path runs, Path target) {
    List<Path> settings = RunFolder.settings(runs);
    Archive archive = new Archive(target);
    List<Batch> batches = new ArrayList<>();
    for (Path own : settings) {
      archive.read(own).ifPresent(batches::add);
    }
    if (batches.isEmpty()) {
      String why =
          String.join(
              "; ",
              Stream.concat(archive.broken.stream(), archive.left.stream()).limit(NAMED).toList());
      throw new DataException(
          "%s: there are no finished runs in it%s."
              .formatted(runs, why.isEmpty() ? "; 'alfamix lab run' makes some" : ": " + why));
    }
    try (RunFolder held = new RunFolder(target)) {
      batches.forEach(batch -> archive.require(batch, held));
      batches.forEach(batch -> archive.write(batch, held));
    }
    return new Summary(archive.packed, List.copyOf(archive.left), List.copyOf(archive.broken));
  }

  /** The finished runs of a setting. */
  private record Batch(Path folder, Setting setting, List<RunFile> runs) {}

  private Optional<Batch> read(Path own) {
    List<RunFile> finished = new ArrayList<>();
    Setting setting;
    try {
      setting = RunFolder.setting(own);
    } catch (DataException e) {
      broken.add(withoutStop(e));
      return Optional.empty();
    }
    for (Path file : RunFile.list(own)) {
      try {
        Optional<RunFile> run = RunFile.read(file);
        int rounds = run.map(found -> found.rounds().size()).orElse(0);
        Optional<String> foreign = run.flatMap(found -> found.foreignIn(setting, finished));
        if (foreign.isPresent()) {
          broken.add("%s/%s: %s".formatted(setting.name(), file.getFileName(), foreign.get()));
        } else if (rounds > setting.schedule().rounds()) {
          finished.add(run.orElseThrow());
        } else {
          left.add(
              "%s/%s: %d of %d rounds"
                  .formatted(
                      setting.name(), file.getFileName(), rounds, setting.schedule().rounds() + 1));
        }
      } catch (DataException e) {
        broken.add(withoutStop(e));
      }
    }
    return finished.isEmpty() ? Optional.empty() : Optional.of(new Batch(own, setting, finished));
  }

  private Path place(Batch batch) {
    return target.resolve(batch.setting.name());
  }

  /** Before anything is written: nothing that is there may be contradicted. */
  private void require(Batch batch, RunFolder held) {
    Path own = place(batch);
    if (!Files.isDirectory(own)) {
      return;
    }
    requireSameSchedule(batch, own);
    for (RunFile run : batch.runs) {
      held.requireSameData(batch.setting, run.header().provenance());
      for (Path file : RunFile.list(own)) {
        RunFile.header(file).ifPresent(there -> requireSameSetting(file, there, run.header()));
      }
      RunFile.read(own.resolve(run.path().getFileName()))
          .ifPresent(there -> requireSame(there, run));
    }
  }

  /** The setting that is there stays where it has more rounds, so its labels must be the same. */
  private static void requireSameSchedule(Batch batch, Path own) {
    if (!Files.exists(own.resolve(RunFolder.SETTING)) || RunFile.list(own).isEmpty()) {
      return;
    }
    List<Integer> there = RunFolder.setting(own).schedule().budgets();
    List<Integer> given = batch.setting.schedule().budgets();
    int common = Math.min(there.size(), given.size());
    if (!there.subList(0, common).equals(given.subList(0, common))) {
      throw new DataException(
          "%s asks for other numbers of labels; take another folder or another name."
              .formatted(own.resolve(RunFolder.SETTING)));
    }
  }

  private static String withoutStop(DataException e) {
    return e.getMessage().replaceFirst("\\.$", "");
  }

  private static void requireSameSetting(Path file, RunHeader there, RunHeader given) {
    String other = there.essenceDifference(given);
    if (!other.isEmpty()) {
      throw new DataException(
          "%s was run with %s; take another folder or another name.".formatted(file, other));
    }
  }

  private static void requireSame(RunFile there, RunFile run) {
    int common = Math.min(there.rounds().size(), run.rounds().size());
    int same = Rerun.same(there, run);
    if (same < common) {
      throw new DataException(
          "%s says something else from round %d on; delete it or take another folder."
              .formatted(there.path(), same));
    }
  }

  private void write(Batch batch, RunFolder held) {
    held.keep(batch.setting);
    for (RunFile run : batch.runs) {
      Path file = place(batch).resolve(run.path().getFileName());
      int rounds = run.rounds().size();
      boolean there =
          RunFile.read(file)
              .filter(
                  found ->
                      found.rounds().size() > rounds
                          || found.isPacked() && found.rounds().size() == rounds)
              .isPresent();
      if (!there) {
        run.pack(file);
      }
      packed++;
    }
    pictures(batch);
  }

  /** A picture that is there stays where it has all that was picked. */
  private void pictures(Batch batch) {
    for (long seed : batch.runs.stream().map(run -> run.header().seed()).distinct().toList()) {
      Path source = LatentSpace.file(batch.folder.getParent(), batch.setting, seed);
      Path picture = LatentSpace.file(target, batch.setting, seed);
      boolean covered =
          LatentSpace.read(picture)
              .filter(
                  there ->
                      there.covers(
                          RunFolder.firstRounds(place(batch), seed), batch.setting.latentItems()))
              .isPresent();
      if (Files.exists(source) && !covered) {
        try {
          byte[] bytes = Files.readAllBytes(source);
          AtomicFile.write(picture, out -> out.write(bytes));
        } catch (IOException e) {
          throw new UncheckedIOException(source + ": " + AtomicFile.reason(e), e);
        }
      }
    }
  }
}
