package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.alfamix.lab.report.LineChart.Series;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.statistics.LabelsSaved;
import org.alfamix.lab.statistics.PenaltyMatrix;

/** The section of a report on one setting. */
final class SettingSection {
  private final SettingResults results;
  private final Comparison comparison;
  private final String name;
  private final List<String> labels;

  private SettingSection(SettingResults results, Comparison comparison) {
    this.results = results;
    this.comparison = comparison;
    this.name = results.setting().name();
    this.labels = Comparison.labels(results.methods());
  }

  static Section of(SettingResults results, Comparison comparison) {
    return new SettingSection(results, comparison).section();
  }

  private Section section() {
    Section section = new Section("setting-" + name, results.setting().title(), text());
    Section.Part accuracy = new Section.Part("");
    accuracy.figures().add(curves());
    if (results.seeds() >= 2 && labels.size() >= 2) {
      accuracy.figures().add(penalties());
    }
    accuracy.tables().add(summary());
    accuracy.tables().add(accuracies());
    Section.Part picked = new Section.Part("Picks");
    if (results.rounds() >= 2) {
      picked.figures().addAll(queries());
    }
    flipped().ifPresent(picked.figures()::add);
    section.add(accuracy).add(picked);
    for (String projection : LatentFigures.PROJECTIONS) {
      Section.Part map = new Section.Part("Picks in the latent space (" + projection + ")");
      map.figures().addAll(LatentFigures.of(results, projection));
      section.add(map);
    }
    return section;
  }

  private String text() {
    String text =
        String.format(
            Locale.ROOT,
            "%s on %s, %s labels; %d %s, %s.",
            results.setting().model().network(),
            results.setting().data().name(),
            results.setting().schedule(),
            labels.size(),
            labels.size() == 1 ? "method" : "methods",
            results.seedsInWords());
    if (results.planned() > results.rounds()) {
      text += " Completed so far: %d of %d rounds.".formatted(results.rounds(), results.planned());
    }
    return text + results.setting().note().map(note -> " " + note).orElse("");
  }

  private Series series(MethodResults method, double[][] values) {
    return new Series(
        method.method().label(),
        Colours.of(method.method().label(), labels),
        MethodResults.means(values),
        MethodResults.deviations(values));
  }

  private double[] across(int rounds) {
    return Arrays.stream(results.labels()).limit(rounds).asDoubleStream().toArray();
  }

  private Figure curves() {
    List<Series> lines = new ArrayList<>();
    for (MethodResults method : results.methods()) {
      lines.add(series(method, method.accuracy()));
    }
    double[] x = across(results.rounds() + 1);
    return new Figure(
        new LineChart("Learning curves of " + name, "labels", "test accuracy (%)", " %", x, lines)
            .svg(),
        results.seeds() == 1
            ? "Learning curves, one seed."
            : "Learning curves: mean of %s; bands show one standard deviation."
                .formatted(results.seedsInWords()),
        data("curves-" + name, "Learning curves, " + name, x, lines));
  }

  /** Returns the data of a chart, line by line. */
  private static DataTable data(String id, String title, double[] x, List<Series> lines) {
    DataTable table =
        new DataTable(id, title, "", List.of("method", "labels", "mean", "deviation"));
    for (Series line : lines) {
      for (int i = 0; i < x.length; i++) {
        table.add(
            Cell.text(line.name()),
            Cell.count((long) x[i]),
            Cell.number(line.y()[i], 3),
            Cell.number(line.spread()[i], 3));
      }
    }
    return table;
  }

  private Figure penalties() {
    PenaltyMatrix matrix = comparison.matrix(results);
    return new Figure(
        new HeatMap("Penalty matrix of " + name, matrix).svg(),
        "Share of rounds 1 to %d in which the row beats the column. Last row: how often a method is beaten on average (lower is better).%s"
            .formatted(
                results.rounds(),
                comparison.thresholdWarning(results.fewestSeeds()) + emptyCells(matrix)),
        matrixTable("penalties-" + name, "Penalty matrix, " + name, matrix),
        true);
  }

  /** Explains empty cells if there are any apart from the diagonal. */
  static String emptyCells(PenaltyMatrix matrix) {
    for (int i = 0; i < matrix.methods().size(); i++) {
      for (int j = 0; j < matrix.methods().size(); j++) {
        if (i != j && matrix.settings()[i][j] == 0) {
          return " Cells are empty if two methods have fewer than two seeds in common.";
        }
      }
    }
    return "";
  }

  static DataTable matrixTable(String id, String title, PenaltyMatrix matrix) {
    List<String> columns = new ArrayList<>(List.of("beats"));
    columns.addAll(matrix.methods());
    DataTable table =
        new DataTable(
            id,
            title,
            "Share of rounds in which the row beats the column, summed over settings; at most "
                + matrix.maximum()
                + ".",
            columns);
    for (int i = 0; i < matrix.methods().size(); i++) {
      List<Cell> row = new ArrayList<>(List.of(Cell.text(matrix.methods().get(i))));
      for (int j = 0; j < matrix.methods().size(); j++) {
        row.add(
            i == j || matrix.settings()[i][j] == 0
                ? Cell.EMPTY
                : Cell.number(matrix.victories()[i][j], 2));
      }
      table.add(row);
    }
    List<Cell> means = new ArrayList<>(List.of(Cell.text("mean")));
    IntStream.range(0, matrix.methods().size())
        .forEach(j -> means.add(Cell.number(matrix.columnMean(j), 2)));
    return table.add(means);
  }

  private DataTable summary() {
    DataTable table =
        new DataTable(
            "summary-" + name,
            "Summary, " + name,
            "Labels saved at equal accuracy, against random sampling, with the 95 % confidence"
                + " interval (from, to) of a bootstrap over seeds. Negative: the method needs more"
                + " labels than random sampling.",
            List.of(
                "method",
                "seeds",
                "final accuracy, %",
                "mean accuracy (area), %",
                "labels saved, %",
                "from",
                "to"));
    for (MethodResults method : results.methods()) {
      double[][] accuracy = method.accuracy();
      double[] areas = Comparison.areas(results, method);
      double[][] area =
          Arrays.stream(areas).mapToObj(a -> new double[] {a}).toArray(double[][]::new);
      Optional<LabelsSaved> saved = Comparison.saved(results, method);
      Optional<LabelsSaved> interval = saved.filter(s -> s.seeds() > 1);
      table.add(
          Cell.text(method.method().label()),
          Cell.count(method.runs().size()),
          Cell.spread(
              MethodResults.means(accuracy)[results.rounds()],
              MethodResults.deviations(accuracy)[results.rounds()],
              accuracy.length,
              1),
          Cell.spread(
              MethodResults.means(area)[0], MethodResults.deviations(area)[0], area.length, 1),
          saved.map(s -> Cell.number(100 * s.share(), 0)).orElse(Cell.EMPTY),
          interval.map(s -> Cell.number(100 * s.low(), 0)).orElse(Cell.EMPTY),
          interval.map(s -> Cell.number(100 * s.high(), 0)).orElse(Cell.EMPTY));
    }
    return table;
  }

  private DataTable accuracies() {
    List<String> columns = new ArrayList<>(List.of("method"));
    int[] counts = results.labels();
    Arrays.stream(counts).forEach(count -> columns.add(count + " labels"));
    DataTable table =
        new DataTable(
            "accuracy-" + name,
            "Test accuracy (%), " + name,
            results.seeds() == 1 ? "One seed." : "Mean and standard deviation over seeds.",
            columns);
    for (MethodResults method : results.methods()) {
      double[][] accuracy = method.accuracy();
      double[] means = MethodResults.means(accuracy);
      double[] deviations = MethodResults.deviations(accuracy);
      List<Cell> row = new ArrayList<>(List.of(Cell.text(method.method().label())));
      IntStream.range(0, counts.length)
          .forEach(r -> row.add(Cell.spread(means[r], deviations[r], accuracy.length, 1)));
      table.add(row);
      List<Cell> printed =
          Arrays.stream(counts)
              .mapToObj(count -> Paper.accuracy(name, method.method().label(), count))
              .toList();
      if (!printed.stream().allMatch(Cell.EMPTY::equals)) {
        List<Cell> paper =
            new ArrayList<>(List.of(Cell.text(method.method().label() + " (paper)")));
        printed.forEach(paper::add);
        table.add(paper);
      }
    }
    return table;
  }

  private List<Figure> queries() {
    return List.of(
        query(
            "confidence",
            "Confidence of the picks",
            "probability of the predicted class",
            query -> query.statistics().confidence()),
        query(
            "margin",
            "Margin of the picks",
            "margin to the second most likely class",
            query -> query.statistics().margin()),
        query(
            "label-entropy",
            "Diversity of the picks by true class",
            "entropy of classes (nats)",
            query -> query.statistics().labelEntropy()),
        query(
            "pair-entropy",
            "Diversity of the picks by their two most likely classes",
            "entropy of pairs (nats)",
            query -> query.statistics().pairEntropy()));
  }

  private Figure query(
      String id, String title, String upwards, ToDoubleFunction<Round.Query> value) {
    List<Series> lines = new ArrayList<>();
    for (MethodResults method : results.methods()) {
      lines.add(series(method, ofQueries(method, value)));
    }
    double[] x = across(results.rounds());
    return new Figure(
        new LineChart(title + ", " + name, "labels", upwards, "", x, lines).svg(),
        id.equals("label-entropy")
            ? title + "."
            : title + ", according to the network that selected them.",
        data(id + "-" + name, title + ", " + name, x, lines));
  }

  /** Returns a value of the rounds with a query, seed × round. */
  private double[][] ofQueries(MethodResults method, ToDoubleFunction<Round.Query> value) {
    double[][] each =
        method.values(round -> round.query().map(value::applyAsDouble).orElse(Double.NaN));
    return Arrays.stream(each)
        .map(seed -> Arrays.copyOf(seed, results.rounds()))
        .toArray(double[][]::new);
  }

  private Optional<Figure> flipped() {
    List<MethodResults> mixing =
        results.methods().stream()
            .filter(method -> method.method().strategy().equals("alfamix"))
            .toList();
    if (mixing.isEmpty() || results.rounds() < 2) {
      return Optional.empty();
    }
    List<Series> lines = new ArrayList<>();
    double[] x = across(results.rounds());
    DataTable table =
        new DataTable(
            "flipped-" + name,
            "Items whose prediction flips, " + name,
            "",
            List.of("method", "labels", "flipped", "deviation", "cap"));
    for (MethodResults method : mixing) {
      Series line = series(method, ofQueries(method, Round.Query::candidates));
      double[] caps = MethodResults.means(ofQueries(method, Round.Query::cap));
      lines.add(line);
      for (int r = 0; r < x.length; r++) {
        table.add(
            Cell.text(line.name()),
            Cell.count((long) x[r]),
            Cell.number(line.y()[r], 1),
            Cell.number(line.spread()[r], 1),
            Cell.number(caps[r], 2));
      }
    }
    return Optional.of(
        new Figure(
            new LineChart("Flipped items of " + name, "labels", "flipped items", "", x, lines)
                .svg(),
            "Items whose prediction flips when features are mixed, at the final cap of each"
                + " round.",
            table));
  }
}
