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

/** A folder of results, locked for writing by one process: a folder per setting, a file per run. */
final class RunFolder implements AutoCloseable {
  private static final String LOCK = ".lock";
  static final String SETTING = "setting.yaml";

  private final Path path;
  private final FileChannel channel;

  /**
   * Locks the folder for this process, and creates it if necessary.
   *
   * @throws DataException if another process has locked it
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
      throw new DataException(
          path + ": another process is writing to this folder; use another folder.");
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
   * Returns the folders of the settings of a folder of results.
   *
   * @throws DataException if it is not a folder of results
   */
  static List<Path> settings(Path results) {
    if (!Files.isDirectory(results)) {
      throw new DataException(results + ": no such folder.");
    }
    if (Files.exists(results.resolve(SETTING))) {
      throw new DataException(
          "%s is the folder of a single setting; expected its parent folder.".formatted(results));
    }
    try (Stream<Path> files = Files.list(results)) {
      List<Path> folders = files.filter(Files::isDirectory).sorted().toList();
      for (Path own : folders) {
        if (!Files.exists(own.resolve(SETTING)) && !RunFile.list(own).isEmpty()) {
          throw new DataException("%s contains runs but no %s.".formatted(own, SETTING));
        }
      }
      return folders.stream().filter(own -> Files.exists(own.resolve(SETTING))).toList();
    } catch (IOException e) {
      throw DataException.unreadable(results, e);
    }
  }

  /** Reads the setting of such a folder. */
  static Setting setting(Path own) {
    return Settings.readStored(own.getFileName().toString(), own.resolve(SETTING));
  }

  Path file(Job job) {
    return job.file(path);
  }

  Path latent(Setting setting, long seed) {
    return LatentSpace.file(path, setting, seed);
  }

  /**
   * Fails if a run of the setting used other data or weights, because results must not be averaged
   * over different data.
   *
   * @throws DataException if one did; the message names it
   */
  void requireSameData(Setting setting, Provenance now) {
    for (Path file : RunFile.list(path.resolve(setting.name()))) {
      Optional<String> input =
          RunFile.header(file).flatMap(header -> header.provenance().changedInput(now));
      if (input.isPresent()) {
        throw new DataException(
            ("%s was run with different %s, and their results must not be mixed; use another"
                    + " folder, or rename the setting.")
                .formatted(file, input.get()));
      }
    }
  }

  /** Returns round 0 of every stored run of a seed, also of methods that are not requested now. */
  List<Round> firstRounds(Setting setting, long seed) {
    return firstRounds(path.resolve(setting.name()), seed);
  }

  /** Returns round 0 of every run of a seed in the folder of a setting. */
  static List<Round> firstRounds(Path own, long seed) {
    return RunFile.list(own).stream()
        .filter(file -> RunFile.unpackedPath(file).toString().endsWith("-seed-" + seed + ".jsonl"))
        .flatMap(file -> firstRound(file).stream())
        .toList();
  }

  private static Optional<Round> firstRound(Path file) {
    try {
      return RunFile.read(file).flatMap(run -> run.rounds().stream().findFirst());
    } catch (DataException e) {
      return Optional.empty(); // running it reports the problem
    }
  }

  /**
   * Saves a setting with its results, for the report. A stored setting is kept if it has more
   * rounds, or if there are runs that this setting cannot resume.
   */
  void save(Setting setting) {
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
      Setting stored = Settings.readStored(setting.name(), own.resolve(SETTING));
      Map<String, String> before = stored.definingValues();
      Map<String, String> now = setting.definingValues();
      before.keySet().removeAll(Setting.PATH_KEYS); // a path may be written in another way
      now.keySet().removeAll(Setting.PATH_KEYS);
      int common = Math.min(stored.schedule().rounds(), setting.schedule().rounds());
      return before.equals(now)
          && stored.schedule().rounds() <= setting.schedule().rounds()
          && stored
              .schedule()
              .budgets()
              .subList(0, common)
              .equals(setting.schedule().budgets().subList(0, common));
    } catch (DataException e) {
      return true; // the stored setting is unreadable
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
