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
import org.alfamix.data.DataException;
import org.alfamix.lab.run.Job;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.RunFile;
import org.alfamix.lab.run.RunHeader;
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
    List<SettingResults> settings = new ArrayList<>();
    List<String> unfinished = new ArrayList<>();
    for (Path own : list(folder)) {
      if (Files.exists(own.resolve("setting.yaml")) && wanted.test(own.getFileName().toString())) {
        try {
          SettingResults results = read(own, unfinished);
          if (!results.methods().isEmpty()) {
            settings.add(results);
          }
        } catch (DataException e) {
          unfinished.add(e.getMessage());
        }
      }
    }
    if (settings.isEmpty()) {
      throw new DataException(
          unfinished.isEmpty()
              ? folder + ": there are no runs in it; 'alfamix lab run' makes some."
              : "%s: none of its runs is finished: %s"
                  .formatted(folder, String.join("; ", unfinished.stream().limit(3).toList())));
    }
    settings.sort(Comparator.comparingInt(results -> order(results.setting())));
    return new Results(folder, settings, unfinished);
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
      Optional<String> foreign = run.flatMap(found -> foreign(found, setting, runs));
      if (run.isEmpty()) {
        left.add(shown + ": it was never begun");
      } else if (foreign.isPresent()) {
        left.add(shown + ": " + foreign.get());
      } else {
        runs.add(run.get());
      }
    } catch (DataException e) {
      left.add(e.getMessage());
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

  /** Why a run does not belong where it is; empty where it does. */
  private static Optional<String> foreign(RunFile run, Setting setting, List<RunFile> others) {
    RunHeader header = run.header();
    Path expected = new Job(setting, header.method(), header.seed()).file(Path.of(""));
    if (!run.isCalled(expected)) {
      return Optional.of("it is the run of " + expected.getFileName());
    }
    String data = header.provenance().facts().getOrDefault("data", "");
    for (RunFile other : others) {
      if (!data.equals(other.header().provenance().facts().getOrDefault("data", ""))) {
        return Optional.of("it has seen other data than " + other.path().getFileName());
      }
    }
    Map<String, String> now = setting.essence();
    for (Map.Entry<String, String> each : header.essence().entrySet()) {
      // A path may be written in other words; everything else must be the same.
      if (!each.getKey().equals("data") && !each.getValue().equals(now.get(each.getKey()))) {
        return Optional.of(
            "it was run with %s '%s', the setting has '%s'"
                .formatted(each.getKey(), each.getValue(), now.get(each.getKey())));
      }
    }
    return Optional.empty();
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
