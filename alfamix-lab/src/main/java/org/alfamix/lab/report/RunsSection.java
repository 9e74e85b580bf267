package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;

/** The sections of a report on times and provenance. */
final class RunsSection {
  private RunsSection() {}

  static Section times(List<SettingResults> settings) {
    Section section =
        new Section(
            "times",
            "Times",
            ("Seconds per round, mean and standard deviation over rounds and seeds%s. On a CPU,"
                    + " each run uses one thread. Acquiring a batch means embedding the pool and"
                    + " selecting; the paper's times were measured on a GTX 1080 Ti.")
                .formatted(jobs(settings)));
    DataTable table =
        new DataTable(
            "times",
            "Seconds per round",
            "Ratio: time to acquire relative to alfamix.",
            List.of(
                "setting",
                "method",
                "acquire",
                "acquire (paper)",
                "ratio",
                "ratio (paper)",
                "embed",
                "select",
                "train"));
    for (SettingResults results : settings) {
      for (MethodResults method : results.methods()) {
        String label = method.method().label();
        table.add(
            Cell.text(results.setting().name()),
            Cell.text(label),
            seconds(method, "embed", "select"),
            Paper.seconds(results.setting().name(), label),
            ratio(
                seconds(method, "embed", "select"),
                results.method(Percentages.OURS).map(own -> seconds(own, "embed", "select"))),
            ratio(
                Paper.seconds(results.setting().name(), label),
                Optional.of(Paper.seconds(results.setting().name(), Percentages.OURS))),
            seconds(method, "embed"),
            seconds(method, "select"),
            seconds(method, "train"));
      }
    }
    return section.add(part(table));
  }

  private static Cell ratio(Cell seconds, Optional<Cell> ours) {
    return seconds.isNumber() && ours.isPresent() && ours.get().isNumber()
        ? Cell.number((double) seconds.value() / (double) ours.get().value(), 1)
        : Cell.EMPTY;
  }

  /** Describes the number of parallel runs, which affects times. */
  private static String jobs(List<SettingResults> settings) {
    List<Integer> jobs =
        settings.stream()
            .flatMap(SettingResults::runs)
            .flatMap(run -> run.rounds().stream())
            .map(Round::jobs)
            .distinct()
            .sorted()
            .toList();
    if (jobs.equals(List.of(1))) {
      return ", one run at a time";
    }
    String counts = String.join(" or ", jobs.stream().map(String::valueOf).toList());
    return ", with " + counts + " parallel runs";
  }

  private static Section.Part part(DataTable table) {
    return new Section.Part("", List.of(), List.of(table));
  }

  private static Cell seconds(MethodResults method, String... phases) {
    double[][] each =
        method.runs().values().stream()
            .flatMap(run -> run.rounds().stream().limit(method.rounds() + 1L))
            .filter(round -> round.seconds().containsKey(phases[0]))
            .map(round -> new double[] {sum(round, phases)})
            .toArray(double[][]::new);
    return each.length == 0
        ? Cell.EMPTY
        : Cell.spread(
            MethodResults.means(each)[0],
            MethodResults.deviations(each)[0],
            each.length,
            MethodResults.means(each)[0] < 0.1 ? 3 : 2);
  }

  private static double sum(Round round, String... phases) {
    return Arrays.stream(phases).mapToDouble(phase -> round.seconds().get(phase)).sum();
  }

  static Section provenance(Results results) {
    Section section =
        new Section(
            "provenance",
            "Provenance",
            results.unfinished().isEmpty()
                ? "All runs are complete."
                : (results.unfinished().size() == 1
                        ? "1 run is incomplete or unreadable and is omitted: "
                        : results.unfinished().size()
                            + " runs are incomplete or unreadable and are omitted: ")
                    + String.join("; ", results.unfinished().stream().limit(5).toList())
                    + (results.unfinished().size() > 5 ? "; ..." : "."));
    Map<String, Set<String>> facts = new TreeMap<>();
    int runs = 0;
    for (SettingResults setting : results.settings()) {
      for (RunFile run : setting.runs().toList()) {
        runs++;
        BiConsumer<String, String> add =
            (topic, value) -> {
              String key = topic.equals("data") ? "data of " + setting.setting().name() : topic;
              facts.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(value);
            };
        run.header().provenance().facts().forEach(add);
        run.rounds().forEach(round -> round.madeBy().forEach(add));
      }
    }
    DataTable table =
        new DataTable(
            "provenance", "Provenance of " + runs + " runs", "", List.of("topic", "value"));
    facts.forEach(
        (topic, values) ->
            new ArrayList<>(values)
                .forEach(value -> table.add(Cell.text(topic), Cell.text(value))));
    return section.add(part(table));
  }
}
