package org.alfamix.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;

/**
 * A folder of results, which one process at a time writes to: a folder per setting, a file per run.
 */
final class RunFolder implements AutoCloseable {
  private static final String LOCK = ".lock";
  static final String SETTING = "setting.yaml";

  private final Path path;
  private final FileChannel channel;

  /**
   * Takes the folder for this process; it is made where it is not there.
   *
   * @throws DataException where another process has it
   */
  RunFolder(Path path) {
    this.path = path;
    try {
      Files.createDirectories(path);
      channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(path + ": cannot be written: " + AtomicFile.reason(e), e);
    }
    if (!lock()) {
      close();
      throw new DataException(path + ": another process is writing to it; take another folder.");
    }
  }

  private boolean lock() {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(path + ": cannot be locked: " + AtomicFile.reason(e), e);
    }
  }

  /**
   * The settings of a folder of results, a folder each.
   *
   * @throws DataException where it is none
   */
  static List<Path> settings(Path results) {
    if (!Files.isDirectory(results)) {
      throw new DataException(results + ": there is no such folder of runs.");
    }
    if (Files.exists(results.resolve(SETTING))) {
      throw new DataException(
          "%s is the folder of one setting; expected the one that it is in.".formatted(results));
    }
    try (Stream<Path> files = Files.list(results)) {
      List<Path> folders = files.filter(Files::isDirectory).sorted().toList();
      for (Path own : folders) {
        if (!Files.exists(own.resolve(SETTING)) && !RunFile.list(own).isEmpty()) {
          throw new DataException(
              "%s: its runs are without a %s, which says what they are of."
                  .formatted(own, SETTING));
        }
      }
      return folders.stream().filter(own -> Files.exists(own.resolve(SETTING))).toList();
    } catch (IOException e) {
      throw DataException.unreadable(results, e);
    }
  }

  /** The setting of such a folder. */
  static Setting setting(Path own) {
    return Settings.readKept(own.getFileName().toString(), own.resolve(SETTING));
  }

  Path file(Job job) {
    return job.file(path);
  }

  Path latent(Setting setting, long seed) {
    return LatentSpace.file(path, setting, seed);
  }

  /**
   * Fails where a run of the setting has seen other data or weights: the two must not be averaged.
   *
   * @throws DataException naming it
   */
  void requireSameData(Setting setting, Provenance now) {
    for (Path file : RunFile.list(path.resolve(setting.name()))) {
      Optional<String> other =
          RunFile.header(file).flatMap(header -> header.provenance().otherMaterial(now));
      if (other.isPresent()) {
        throw new DataException(
            "%s has seen other %s, which must not be mixed with these; take another folder or"
                    .formatted(file, other.get())
                + " another name.");
      }
    }
  }

  /** Round 0 of every run of a seed, also of methods that were not asked for this time. */
  List<Round> firstRounds(Setting setting, long seed) {
    return firstRounds(path.resolve(setting.name()), seed);
  }

  /** The same of the folder of a setting. */
  static List<Round> firstRounds(Path own, long seed) {
    return RunFile.list(own).stream()
        .filter(file -> RunFile.open(file).toString().endsWith("-seed-" + seed + ".jsonl"))
        .flatMap(file -> firstRound(file).stream())
        .toList();
  }

  private static Optional<Round> firstRound(Path file) {
    try {
      return RunFile.read(file).flatMap(run -> run.rounds().stream().findFirst());
    } catch (DataException e) {
      return Optional.empty(); // whoever runs it is told
    }
  }

  /**
   * Keeps a setting with its results, for the report. What is there stays where it has more rounds,
   * or where runs were begun with it that this setting cannot go on with.
   */
  void keep(Setting setting) {
    Path own = path.resolve(setting.name());
    try {
      Files.createDirectories(own);
      if (!mayReplace(own, setting)) {
        return;
      }
      byte[] text = setting.yaml().getBytes(StandardCharsets.UTF_8);
      AtomicFile.write(own.resolve(SETTING), out -> out.write(text));
    } catch (IOException e) {
      throw new UncheckedIOException(own + ": cannot be written: " + AtomicFile.reason(e), e);
    }
  }

  private static boolean mayReplace(Path own, Setting setting) {
    if (!Files.exists(own.resolve(SETTING)) || RunFile.list(own).isEmpty()) {
      return true;
    }
    try {
      Setting there = Settings.readKept(setting.name(), own.resolve(SETTING));
      Map<String, String> before = there.essence();
      Map<String, String> now = setting.essence();
      before.keySet().removeAll(Setting.PLACES); // a path may be written in other words
      now.keySet().removeAll(Setting.PLACES);
      int common = Math.min(there.schedule().rounds(), setting.schedule().rounds());
      return before.equals(now)
          && there.schedule().rounds() <= setting.schedule().rounds()
          && there
              .schedule()
              .budgets()
              .subList(0, common)
              .equals(setting.schedule().budgets().subList(0, common));
    } catch (DataException e) {
      return true; // nobody can read it any more
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
