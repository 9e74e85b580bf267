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
 * The contents of a folder of results.
 *
 * @param settings the settings with complete runs
 * @param unfinished descriptions of incomplete or unreadable runs
 */
public record Results(Path folder, List<SettingResults> settings, List<String> unfinished) {

  public Results {
    settings = List.copyOf(settings);
    unfinished = List.copyOf(unfinished);
  }

  /**
   * Reads a folder.
   *
   * @throws DataException if it has no complete run
   */
  public static Results read(Path folder) {
    return read(folder, name -> true);
  }

  /**
   * Reads some settings of a folder.
   *
   * @param wanted selects settings by name
   */
  public static Results read(Path folder, Predicate<String> wanted) {
    if (!Files.isDirectory(folder)) {
      throw new DataException(folder + ": no such folder.");
    }
    if (Files.exists(folder.resolve("setting.yaml"))) {
      throw new DataException(
          "%s is the folder of a single setting; expected its parent folder.".formatted(folder));
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
          unfinished.add(withoutFullStop(e));
        }
      } else if (Files.isDirectory(own) && !RunFile.list(own).isEmpty()) {
        unfinished.add(own.getFileName() + ": contains runs but no setting.yaml");
      }
    }
    if (settings.isEmpty()) {
      throw new DataException(
          unfinished.isEmpty()
              ? folder + ": expected runs of the lab, found none."
              : "%s: no complete runs: %s."
                  .formatted(folder, String.join("; ", unfinished.stream().limit(3).toList())));
    }
    settings.sort(Comparator.comparingInt(results -> order(results.setting())));
    return new Results(folder, settings, unfinished);
  }

  /** Returns the message without its full stop, for use in a longer sentence. */
  private static String withoutFullStop(DataException e) {
    return e.getMessage().replaceFirst("\\.$", "");
  }

  /** Returns the sort key: the paper's settings in its order, then all others by name. */
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
    Setting stored = Settings.readStored(name, own.resolve("setting.yaml"));
    List<RunFile> runs = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (Path file : RunFile.list(own)) {
      read(file, stored, runs, skipped);
    }
    int rounds = rounds(runs, stored.schedule().rounds());
    Setting setting = rounds == stored.schedule().rounds() ? stored : stored.withRounds(rounds);
    Map<String, TreeMap<Long, RunFile>> byMethod = new LinkedHashMap<>();
    Map<String, Method> methods = new LinkedHashMap<>();
    // Methods of the setting come first, in its order.
    setting.defaultMethods().forEach(method -> byMethod.put(method.label(), new TreeMap<>()));
    for (RunFile run : runs) {
      if (run.rounds().size() <= rounds) {
        skipped.add(
            "%s: %d of %d rounds"
                .formatted(
                    own.getParent().relativize(run.path()),
                    run.rounds().size(),
                    stored.schedule().rounds() + 1));
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
    unfinished.addAll(skipped);
    return new SettingResults(
        setting, stored.schedule().rounds(), results, skipped.size(), latent(own));
  }

  /** Adds a run, or the reason why it is skipped. */
  private static void read(Path file, Setting setting, List<RunFile> runs, List<String> skipped) {
    try {
      Optional<RunFile> run = RunFile.read(file);
      Path shown = file.getParent().getParent().relativize(file);
      Optional<String> mismatch = run.flatMap(present -> present.mismatch(setting, runs));
      if (run.isEmpty()) {
        skipped.add(shown + ": no header");
      } else if (mismatch.isPresent()) {
        skipped.add(shown + ": " + mismatch.get());
      } else {
        runs.add(run.get());
      }
    } catch (DataException e) {
      skipped.add(withoutFullStop(e));
    }
  }

  /**
   * Returns the number of rounds to show: usually that of the setting. If most runs have fewer, for
   * example because rounds are being added, it is the number that maximizes the rounds shown over
   * all runs.
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

  /** Returns the map of the first seed that has one. */
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
