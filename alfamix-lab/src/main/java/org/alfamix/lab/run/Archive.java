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
 * Packs complete runs into a folder to store permanently, such as next to a paper or in a
 * repository: compressed, with their settings and maps of latent spaces. The folder can be read
 * like any other folder of results.
 *
 * <p>Results that are already in the folder never change: a run that contradicts them, by its
 * numbers, its data or its setting, is rejected.
 */
public final class Archive {
  private static final int EXAMPLES = 3;

  private final Path target;
  private final List<String> skipped = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private int packed;

  private Archive(Path target) {
    this.target = target;
  }

  /**
   * The result of packing.
   *
   * @param packed number of the given runs that the folder contains now
   * @param skipped descriptions of incomplete runs
   * @param broken descriptions of runs that are unreadable or in the wrong folder
   */
  public record Summary(int packed, List<String> skipped, List<String> broken) {}

  /**
   * Packs all complete runs of a folder. Other runs in the target folder are kept, as are runs of
   * which it has more rounds.
   *
   * @param target the target folder; may be the folder itself
   * @throws DataException if there are no complete runs, or if they contradict the target folder
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
              Stream.concat(archive.broken.stream(), archive.skipped.stream())
                  .limit(EXAMPLES)
                  .toList());
      throw new DataException(
          "%s: no complete runs%s.".formatted(runs, why.isEmpty() ? "" : ": " + why));
    }
    try (RunFolder locked = new RunFolder(target)) {
      batches.forEach(batch -> archive.requireConsistent(batch, locked));
      batches.forEach(batch -> archive.write(batch, locked));
    }
    return new Summary(archive.packed, List.copyOf(archive.skipped), List.copyOf(archive.broken));
  }

  /** The complete runs of a setting. */
  private record Batch(Path folder, Setting setting, List<RunFile> runs) {}

  private Optional<Batch> read(Path own) {
    List<RunFile> finished = new ArrayList<>();
    Setting setting;
    try {
      setting = RunFolder.setting(own);
    } catch (DataException e) {
      broken.add(withoutFullStop(e));
      return Optional.empty();
    }
    for (Path file : RunFile.list(own)) {
      try {
        Optional<RunFile> run = RunFile.read(file);
        int rounds = run.map(present -> present.rounds().size()).orElse(0);
        Optional<String> mismatch = run.flatMap(present -> present.mismatch(setting, finished));
        if (mismatch.isPresent()) {
          broken.add("%s/%s: %s".formatted(setting.name(), file.getFileName(), mismatch.get()));
        } else if (rounds > setting.schedule().rounds()) {
          finished.add(run.orElseThrow());
        } else {
          skipped.add(
              "%s/%s: %d of %d rounds"
                  .formatted(
                      setting.name(), file.getFileName(), rounds, setting.schedule().rounds() + 1));
        }
      } catch (DataException e) {
        broken.add(withoutFullStop(e));
      }
    }
    return finished.isEmpty() ? Optional.empty() : Optional.of(new Batch(own, setting, finished));
  }

  private Path targetFolder(Batch batch) {
    return target.resolve(batch.setting.name());
  }

  /** Fails if a run contradicts the target folder, before anything is written. */
  private void requireConsistent(Batch batch, RunFolder locked) {
    Path own = targetFolder(batch);
    if (!Files.isDirectory(own)) {
      return;
    }
    requireSameSchedule(batch, own);
    for (RunFile run : batch.runs) {
      locked.requireSameData(batch.setting, run.header().provenance());
      for (Path file : RunFile.list(own)) {
        RunFile.header(file).ifPresent(stored -> requireSameSetting(file, stored, run.header()));
      }
      RunFile.read(own.resolve(run.path().getFileName()))
          .ifPresent(stored -> requireSame(stored, run));
    }
  }

  /** The stored setting is kept if it has more rounds, so its schedule must be the same. */
  private static void requireSameSchedule(Batch batch, Path own) {
    if (!Files.exists(own.resolve(RunFolder.SETTING)) || RunFile.list(own).isEmpty()) {
      return;
    }
    List<Integer> stored = RunFolder.setting(own).schedule().budgets();
    List<Integer> given = batch.setting.schedule().budgets();
    int common = Math.min(stored.size(), given.size());
    if (!stored.subList(0, common).equals(given.subList(0, common))) {
      throw new DataException(
          "%s has other budgets per round than the runs to pack; use another folder, or rename the setting."
              .formatted(own.resolve(RunFolder.SETTING)));
    }
  }

  private static String withoutFullStop(DataException e) {
    return e.getMessage().replaceFirst("\\.$", "");
  }

  private static void requireSameSetting(Path file, RunHeader stored, RunHeader given) {
    String difference = stored.settingDifference(given);
    if (!difference.isEmpty()) {
      throw new DataException(
          "%s was run with %s; use another folder or another name.".formatted(file, difference));
    }
  }

  private static void requireSame(RunFile stored, RunFile run) {
    int common = Math.min(stored.rounds().size(), run.rounds().size());
    int same = Rerun.equalRounds(stored, run);
    if (same < common) {
      throw new DataException(
          "%s differs from round %d onwards; delete it or use another folder."
              .formatted(stored.path(), same));
    }
  }

  private void write(Batch batch, RunFolder locked) {
    locked.save(batch.setting);
    for (RunFile run : batch.runs) {
      Path file = targetFolder(batch).resolve(run.path().getFileName());
      int rounds = run.rounds().size();
      boolean stored =
          RunFile.read(file)
              .filter(
                  present ->
                      present.rounds().size() > rounds
                          || present.isPacked() && present.rounds().size() == rounds)
              .isPresent();
      if (!stored) {
        run.pack(file);
      }
      packed++;
    }
    copyMaps(batch);
  }

  /** Copies maps of latent spaces, unless the stored ones show all picks already. */
  private void copyMaps(Batch batch) {
    for (long seed : batch.runs.stream().map(run -> run.header().seed()).distinct().toList()) {
      Path source = LatentSpace.file(batch.folder.getParent(), batch.setting, seed);
      Path map = LatentSpace.file(target, batch.setting, seed);
      boolean covered =
          LatentSpace.read(map)
              .filter(
                  stored ->
                      stored.covers(
                          RunFolder.firstRounds(targetFolder(batch), seed),
                          batch.setting.latentItems()))
              .isPresent();
      if (Files.exists(source) && !covered) {
        try {
          byte[] bytes = Files.readAllBytes(source);
          AtomicFile.write(map, out -> out.write(bytes));
        } catch (IOException e) {
          throw new UncheckedIOException(source + ": " + AtomicFile.reason(e), e);
        }
      }
    }
  }
}
