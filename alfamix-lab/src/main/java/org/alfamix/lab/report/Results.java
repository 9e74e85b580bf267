package org.alfamix.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.RunFile;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;

/**
 * All that a folder of results holds.
 *
 * @param settings those that have finished runs
 * @param unfinished runs that have begun but not ended or cannot be read, in words
 */
public record Results(Path folder, List<SettingResults> settings, List<String> unfinished) {

  public Results {
    settings = List.copyOf(settings);
    unfinished = List.copyOf(unfinished);
  }

  /**
   * Reads a folder.
   *
   * @throws DataException where there is no finished run in it
   */
  public static Results read(Path folder) {
    return read(folder, name -> true);
  }

  /**
   * Reads some settings of a folder.
   *
   * @param wanted which, by name
   */
  public static Results read(Path folder, Predicate<String> wanted) {
    if (!Files.isDirectory(folder)) {
      throw new DataException(folder + ": there is no such folder of runs.");
    }
    if (Files.exists(folder.resolve("setting.yaml"))) {
      throw new DataException(
          "%s is the folder of one setting; expected the one that it is in.".formatted(folder));
    }
    List<SettingResults> settings = new ArrayList<>();
    List<String> unfinished = new ArrayList<>();
    for (Path own : list(folder)) {
      if (!wanted.test(own.getFileName().toString())) {
        continue;
      }
      if (Files.exists(own.resolve("setting.yaml"))) {
        try {
          SettingResults results = read(own, unfinished);
          if (!results.methods().isEmpty()) {
            settings.add(results);
          }
        } catch (DataException e) {
          unfinished.add(withoutStop(e));
        }
      } else if (Files.isDirectory(own) && !RunFile.list(own).isEmpty()) {
        unfinished.add(own.getFileName() + ": its runs are without a setting.yaml");
      }
    }
    if (settings.isEmpty()) {
      throw new DataException(
          unfinished.isEmpty()
              ? folder + ": there are no runs in it; 'alfamix lab run' makes some."
              : "%s: none of its runs is finished: %s."
                  .formatted(folder, String.join("; ", unfinished.stream().limit(3).toList())));
    }
    settings.sort(Comparator.comparingInt(results -> order(results.setting())));
    return new Results(folder, settings, unfinished);
  }

  /** What others put a full stop behind. */
  private static String withoutStop(DataException e) {
    return e.getMessage().replaceFirst("\\.$", "");
  }

  /** The paper's settings in its order, then all others by name. */
  private static int order(Setting setting) {
    return setting
        .paper()
        .map(number -> number.matches("\\d{1,4}") ? Integer.parseInt(number) : 99)
        .orElse(100);
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw DataException.unreadable(folder, e);
    }
  }

  private static SettingResults read(Path own, List<String> unfinished) {
    String name = own.getFileName().toString();
    Setting kept = Settings.readKept(name, own.resolve("setting.yaml"));
    List<RunFile> runs = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (Path file : RunFile.list(own)) {
      read(file, kept, runs, left);
    }
    int rounds = rounds(runs, kept.schedule().rounds());
    Setting setting = rounds == kept.schedule().rounds() ? kept : kept.withRounds(rounds);
    Map<String, TreeMap<Long, RunFile>> byMethod = new LinkedHashMap<>();
    Map<String, Method> methods = new LinkedHashMap<>();
    // In the order in which the setting names them; others follow.
    setting.usualMethods().forEach(method -> byMethod.put(method.label(), new TreeMap<>()));
    for (RunFile run : runs) {
      if (run.rounds().size() <= rounds) {
        left.add(
            "%s: %d of %d rounds"
                .formatted(
                    own.getParent().relativize(run.path()),
                    run.rounds().size(),
                    kept.schedule().rounds() + 1));
        continue;
      }
      Method method = run.header().method();
      methods.put(method.label(), method);
      byMethod
          .computeIfAbsent(method.label(), label -> new TreeMap<>())
          .put(run.header().seed(), run);
    }
    List<MethodResults> results = new ArrayList<>();
    byMethod.forEach(
        (label, bySeed) -> {
          if (!bySeed.isEmpty()) {
            results.add(new MethodResults(methods.get(label), bySeed, rounds));
          }
        });
    unfinished.addAll(left);
    return new SettingResults(setting, kept.schedule().rounds(), results, left.size(), latent(own));
  }

  /** Adds a run, or why it is none. */
  private static void read(Path file, Setting setting, List<RunFile> runs, List<String> left) {
    try {
      Optional<RunFile> run = RunFile.read(file);
      Path shown = file.getParent().getParent().relativize(file);
      Optional<String> foreign = run.flatMap(found -> found.foreignIn(setting, runs));
      if (run.isEmpty()) {
        left.add(shown + ": it was never begun");
      } else if (foreign.isPresent()) {
        left.add(shown + ": " + foreign.get());
      } else {
        runs.add(run.get());
      }
    } catch (DataException e) {
      left.add(withoutStop(e));
    }
  }

  /**
   * How many rounds to show. Mostly those of the setting; where most runs have not got so far yet,
   * as when rounds are being added, those that make the most rounds over all runs.
   */
  private static int rounds(List<RunFile> runs, int all) {
    int best = all;
    long most = 0;
    for (int rounds = all; rounds >= 1; rounds--) {
      int needed = rounds;
      long count = rounds * runs.stream().filter(run -> run.rounds().size() > needed).count();
      if (count > most) {
        most = count;
        best = rounds;
      }
    }
    return best;
  }

  /** That of the first seed which has one. */
  private static Optional<LatentSpace> latent(Path own) {
    return list(own).stream()
        .filter(LatentSpace::isFile)
        .min(Comparator.comparingLong(Results::seed))
        .flatMap(LatentSpace::read);
  }

  private static long seed(Path latent) {
    return Long.parseLong(latent.getFileName().toString().replaceAll("\\D", ""));
  }
}
