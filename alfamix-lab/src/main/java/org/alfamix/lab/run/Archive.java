package org.alfamix.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.data.DataException;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.query.AtomicFile;

/**
 * Puts finished runs into a folder that is to be kept, as beside a paper or in a repository:
 * packed, with their settings and pictures of latent spaces. Such a folder is one of results like
 * any other.
 */
public final class Archive {
  private Archive() {}

  /**
   * What was done.
   *
   * @param packed how many runs
   * @param left those that are not finished or cannot be read, in words
   */
  public record Summary(int packed, List<String> left) {}

  /**
   * Packs all finished runs of a folder. What the other folder has besides stays, also where it has
   * more rounds of a run.
   *
   * @param target where to; may be the folder itself
   * @throws DataException where there are none, or where the other folder has another run of that
   *     name
   */
  public static Summary pack(Path runs, Path target) {
    if (!Files.isDirectory(runs)) {
      throw new DataException(runs + ": there is no such folder of runs.");
    }
    List<String> left = new ArrayList<>();
    int packed = 0;
    try (RunFolder held = new RunFolder(target)) {
      for (Path own : folders(runs)) {
        packed += pack(own, target.resolve(own.getFileName()), held, left);
      }
    }
    if (packed == 0) {
      throw new DataException(
          "%s: there are no finished runs in it%s."
              .formatted(runs, left.isEmpty() ? "" : ", only " + String.join("; ", left)));
    }
    return new Summary(packed, left);
  }

  private static List<Path> folders(Path runs) {
    try (Stream<Path> files = Files.list(runs)) {
      return files.filter(file -> Files.exists(file.resolve(RunFolder.SETTING))).sorted().toList();
    } catch (IOException e) {
      throw DataException.unreadable(runs, e);
    }
  }

  private static int pack(Path own, Path target, RunFolder held, List<String> left) {
    Setting setting =
        Settings.readKept(own.getFileName().toString(), own.resolve(RunFolder.SETTING));
    List<RunFile> finished = new ArrayList<>();
    for (Path file : RunFile.list(own)) {
      Optional<RunFile> run = RunFile.read(file);
      int rounds = run.map(found -> found.rounds().size()).orElse(0);
      if (rounds > setting.schedule().rounds()) {
        finished.add(run.get());
      } else {
        left.add(
            "%s/%s: %d of %d rounds"
                .formatted(
                    setting.name(), file.getFileName(), rounds, setting.schedule().rounds() + 1));
      }
    }
    if (finished.isEmpty()) {
      return 0;
    }
    for (RunFile run : finished) {
      requireSame(run, target);
    }
    held.keep(setting);
    for (RunFile run : finished) {
      Path file = target.resolve(run.path().getFileName());
      if (RunFile.read(file)
          .filter(there -> there.rounds().size() > run.rounds().size())
          .isEmpty()) {
        run.pack(file);
      }
    }
    if (!own.toAbsolutePath().normalize().equals(target.toAbsolutePath().normalize())) {
      pictures(own, target);
    }
    return finished.size();
  }

  private static void requireSame(RunFile run, Path target) {
    Path file = target.resolve(run.path().getFileName());
    RunFile.read(file)
        .ifPresent(
            there -> {
              String other = there.header().difference(run.header());
              if (!other.isEmpty()
                  || there
                      .header()
                      .provenance()
                      .changes(run.header().provenance())
                      .containsKey("data")) {
                throw new DataException(
                    "%s is another run, with %s; take another folder."
                        .formatted(there.path(), other.isEmpty() ? "other data" : other));
              }
            });
  }

  private static void pictures(Path own, Path target) {
    try (Stream<Path> files = Files.list(own)) {
      for (Path file : files.filter(LatentSpace::isFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        AtomicFile.write(target.resolve(file.getFileName()), out -> out.write(bytes));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(own + ": " + AtomicFile.reason(e), e);
    }
  }
}
