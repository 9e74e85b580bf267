package org.alfamix.studio.web;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.alfamix.chart.Axis;
import org.alfamix.chart.Svg;
import org.alfamix.studio.engine.ItemMap;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.TrainingRound;

/** Charts of the dashboard, as SVG. Their colours are in the style sheet, for light and dark. */
final class Charts {
  private static final double WIDTH = 420;
  private static final double HEIGHT = 240;
  private static final double LEFT = 46;
  private static final double RIGHT = WIDTH - 14;
  private static final double TOP = 12;
  private static final double BOTTOM = HEIGHT - 34;
  private static final double CAPTION = HEIGHT - 6;
  private static final double MAP = 560;
  private static final double MAP_MARGIN = 10;
  private static final int MAX_STEPS = 400;
  private static final int COLOURS = 10;

  private final Texts texts;

  Charts(Texts texts) {
    this.texts = texts;
  }

  /** Formats a moment in UTC. */
  static String moment(Instant at) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(at);
  }

  private static Axis across(double most) {
    return new Axis(0, Math.max(1, most), Math.max(1, most), LEFT, RIGHT);
  }

  private static Axis upwards(double most, double step) {
    return new Axis(0, most, step, BOTTOM, TOP);
  }

  private static Svg open(Axis upwards, String unit, String description) {
    Svg svg = new Svg("class=\"chart\"", WIDTH, HEIGHT, description);
    for (double tick : upwards.ticks()) {
      svg.line("grid", LEFT, upwards.at(tick), RIGHT, upwards.at(tick));
      svg.text("tick", "end", LEFT - 6, upwards.at(tick) + 4, upwards.label(tick) + unit);
    }
    return svg;
  }

  private static void caption(Svg svg, String start, String end) {
    svg.text("tick", "start", LEFT, CAPTION, start);
    svg.text("tick", "end", RIGHT, CAPTION, end);
  }

  private static String point(double x, double y) {
    return Svg.number(x) + "," + Svg.number(y);
  }

  /** Returns the learning curve with its confidence intervals, if there is any. */
  Optional<String> learningCurve(List<TrainingRound> rounds) {
    List<TrainingRound> tested = rounds.stream().filter(round -> round.tested() > 0).toList();
    if (tested.isEmpty()) {
      return Optional.empty();
    }
    TrainingRound last = tested.get(tested.size() - 1);
    Interval now = Interval.of(last.correct(), last.tested());
    Axis labels = across(tested.stream().mapToInt(TrainingRound::labels).max().orElse(1));
    Axis accuracy = upwards(100, 25);
    Svg svg =
        open(
            accuracy,
            "\u00a0%",
            texts.get(
                "curve.description",
                Cards.percent(now.share()),
                last.labels(),
                Cards.percent(now.from()),
                Cards.percent(now.to())));
    caption(svg, texts.get("curve.start"), texts.count("curve.end", last.labels()));
    List<String> upper = new ArrayList<>();
    List<String> lower = new ArrayList<>();
    List<String> line = new ArrayList<>();
    for (TrainingRound round : tested) {
      Interval interval = Interval.of(round.correct(), round.tested());
      double x = labels.at(round.labels());
      upper.add(point(x, accuracy.at(100 * interval.to())));
      lower.add(0, point(x, accuracy.at(100 * interval.from())));
      line.add(point(x, accuracy.at(100 * interval.share())));
    }
    upper.addAll(lower);
    svg.path("band", "M" + String.join(" L", upper) + "z", null);
    svg.path("curve", "M" + String.join(" L", line), null);
    for (TrainingRound round : tested) {
      Interval interval = Interval.of(round.correct(), round.tested());
      svg.circle(
          "dot",
          "",
          labels.at(round.labels()),
          accuracy.at(100 * interval.share()),
          3.5,
          texts.get(
              "curve.point",
              round.number() + 1,
              round.correct(),
              round.tested(),
              Cards.percent(interval.from()),
              Cards.percent(interval.to()),
              round.labels()));
    }
    return Optional.of(svg.end());
  }

  /** Returns the number of labelled items over time, if there are any. */
  Optional<String> labelsOverTime(List<Change> changes) {
    if (changes.size() < 2) {
      return Optional.empty();
    }
    int[] counts = labelled(changes);
    int last = counts.length - 1;
    Instant start = changes.get(0).at();
    Instant end = changes.get(last).at();
    int most = Math.max(1, IntStream.of(counts).max().orElse(1));
    Axis time = across(Duration.between(start, end).toMillis());
    Axis labels = upwards(most, most);
    Svg svg = open(labels, "", texts.get("time.description", counts[last], moment(start)));
    caption(svg, moment(start), texts.get("time.end", moment(end).substring(11)));
    List<String> line = new ArrayList<>();
    int step = Math.max(1, counts.length / MAX_STEPS);
    for (int i = 0; i <= last; i++) {
      if (i % step == 0 || i == last) {
        double millis = Duration.between(start, changes.get(i).at()).toMillis();
        line.add(point(time.at(millis), labels.at(counts[i])));
      }
    }
    svg.path("curve", "M" + String.join(" L", line), null);
    return Optional.of(svg.end());
  }

  /** Returns the number of labelled items after each change. */
  private static int[] labelled(List<Change> changes) {
    int[] counts = new int[changes.size()];
    Map<Integer, List<Change>> histories = new HashMap<>();
    int labelled = 0;
    for (int i = 0; i < counts.length; i++) {
      Change change = changes.get(i);
      List<Change> history = histories.computeIfAbsent(change.item(), item -> new ArrayList<>());
      int before = isLabelled(history) ? 1 : 0;
      if (change.undoes().isPresent()) {
        history.removeIf(each -> each.id() == change.undoes().getAsLong());
      } else if (change.action() != Change.Action.SKIP) {
        history.add(change);
      }
      labelled += (isLabelled(history) ? 1 : 0) - before;
      counts[i] = labelled;
    }
    return counts;
  }

  /** Returns whether the last change that was not undone is a label. */
  private static boolean isLabelled(List<Change> history) {
    return !history.isEmpty() && history.get(history.size() - 1).action() != Change.Action.CLEAR;
  }

  /**
   * Returns the items in the plane of the model's principal components, if there is a map yet.
   *
   * @param places the classes of labelled items, by place
   * @param picks items of the last batch
   */
  Optional<String> map(ItemMap map, Map<Integer, Integer> places, Set<Integer> picks, String path) {
    if (map.points().isEmpty()) {
      return Optional.empty();
    }
    Axis across = covering(map.points().stream().mapToDouble(ItemMap.Point::x).toArray());
    Axis upwards = covering(map.points().stream().mapToDouble(ItemMap.Point::y).toArray());
    Svg svg =
        new Svg(
            "class=\"map\" data-items=\"%s/items/\"".formatted(Svg.escape(path)),
            MAP,
            MAP,
            texts.get("map.description", map.points().size(), places.size(), picks.size()));
    // Labelled items lie above the others, and picks above both.
    for (int layer = 0; layer < 3; layer++) {
      for (ItemMap.Point point : map.points()) {
        boolean labelled = places.containsKey(point.item());
        boolean picked = picks.contains(point.item());
        if (layer != (picked ? 2 : labelled ? 1 : 0)) {
          continue;
        }
        int colour = labelled ? places.get(point.item()) : point.predicted();
        svg.circle(
            (labelled ? "labelled " : picked ? "picked " : point.candidate() ? "candidate " : "")
                + (colour < 0 ? "none" : "c" + colour % COLOURS),
            "data-item=\"%d\"".formatted(point.item()),
            across.at(point.x()),
            upwards.at(point.y()),
            picked ? 7 : labelled ? 5 : 3,
            null);
      }
    }
    return Optional.of(svg.end());
  }

  private static Axis covering(double[] values) {
    double least = Double.MAX_VALUE;
    double most = -Double.MAX_VALUE;
    for (double value : values) {
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
    double high = Math.max(most, least + 1e-9);
    return new Axis(least, high, high - least, MAP_MARGIN, MAP - MAP_MARGIN);
  }
}
