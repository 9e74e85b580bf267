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
import java.util.Set;
import org.alfamix.studio.engine.ItemMap;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.TrainingRound;

/** Drawings of the dashboard; their colours are in the style sheet, for light and dark. */
final class Charts {
  private static final int WIDTH = 420;
  private static final int HEIGHT = 240;
  private static final int LEFT = 46;
  private static final int BOTTOM = 34;
  private static final int TOP = 12;
  private static final int RIGHT = 14;
  private static final int MAP = 560;
  private static final int MOST_STEPS = 400;

  private Charts() {}

  /** A moment as people write it, in UTC. */
  static String moment(Instant at) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(at);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** A place in a drawing for every pair of values. */
  private record Frame(double fromX, double toX, double fromY, double toY) {
    String x(double value) {
      double width = toX > fromX ? toX - fromX : 1;
      return number(LEFT + (value - fromX) / width * (WIDTH - LEFT - RIGHT));
    }

    String y(double value) {
      double height = toY > fromY ? toY - fromY : 1;
      return number(HEIGHT - BOTTOM - (value - fromY) / height * (HEIGHT - TOP - BOTTOM));
    }

    String point(double x, double y) {
      return x(x) + "," + y(y);
    }
  }

  private static Html open(String title) {
    return new Html()
        .add(
            "<svg class=\"chart\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">",
            WIDTH, HEIGHT, title);
  }

  private static void axes(Html svg, Frame frame, List<Double> ys, String unit, String below) {
    for (double y : ys) {
      svg.add(
          "<line class=\"grid\" x1=\"%s\" x2=\"%s\" y1=\"%s\" y2=\"%s\"/>",
          LEFT, WIDTH - RIGHT, frame.y(y), frame.y(y));
      svg.add(
          "<text class=\"end\" x=\"%s\" y=\"%s\" dy=\"4\">%s</text>",
          LEFT - 6, frame.y(y), String.format(Locale.ROOT, "%.0f%s", y, unit));
    }
    svg.add("<text x=\"%s\" y=\"%s\">%s</text>", LEFT, HEIGHT - 6, below);
  }

  /** Accuracy over labels, with its interval. */
  static Html learningCurve(List<TrainingRound> rounds) {
    List<TrainingRound> tested = rounds.stream().filter(round -> round.tested() > 0).toList();
    if (tested.isEmpty()) {
      return Html.of(
          "<p class=\"soft\">It begins when held-out items and two classes are labelled.</p>");
    }
    TrainingRound last = tested.get(tested.size() - 1);
    Interval now = Interval.of(last.correct(), last.tested());
    Html svg =
        open(
            "accuracy on held-out items: %s with %d labels, between %s and %s"
                .formatted(
                    Cards.percent(now.share()),
                    last.labels(),
                    Cards.percent(now.from()),
                    Cards.percent(now.to())));
    int most = tested.stream().mapToInt(TrainingRound::labels).max().orElse(1);
    Frame frame = new Frame(0, most, 0, 100);
    axes(svg, frame, List.of(0.0, 25.0, 50.0, 75.0, 100.0), "\u00a0%", "0 labels");
    svg.add(
        "<text class=\"end\" x=\"%s\" y=\"%s\">%s labels</text>",
        WIDTH - RIGHT, HEIGHT - 6, last.labels());
    List<String> upper = new ArrayList<>();
    List<String> lower = new ArrayList<>();
    List<String> line = new ArrayList<>();
    for (TrainingRound round : tested) {
      Interval interval = Interval.of(round.correct(), round.tested());
      upper.add(frame.point(round.labels(), 100 * interval.to()));
      lower.add(0, frame.point(round.labels(), 100 * interval.from()));
      line.add(frame.point(round.labels(), 100 * interval.share()));
    }
    upper.addAll(lower);
    svg.add("<polygon class=\"band\" points=\"%s\"/>", String.join(" ", upper));
    svg.add("<polyline class=\"curve\" points=\"%s\"/>", String.join(" ", line));
    for (TrainingRound round : tested) {
      Interval interval = Interval.of(round.correct(), round.tested());
      svg.add(
          "<circle class=\"dot\" cx=\"%s\" cy=\"%s\" r=\"3.5\"><title>batch %s: %s of %s right"
              + " (%s to %s) with %s labels</title></circle>",
          frame.x(round.labels()),
          frame.y(100 * interval.share()),
          round.number() + 1,
          round.correct(),
          round.tested(),
          Cards.percent(interval.from()),
          Cards.percent(interval.to()),
          round.labels());
    }
    return svg.add("</svg>");
  }

  /** How many items had a label, over time. */
  static Html labelsOverTime(List<Change> changes) {
    List<Instant> moments = new ArrayList<>();
    List<Integer> counts = new ArrayList<>();
    Map<Integer, List<Change>> said = new HashMap<>();
    int labelled = 0;
    for (Change change : changes) {
      List<Change> words = said.computeIfAbsent(change.item(), item -> new ArrayList<>());
      int before = isLabelled(words) ? 1 : 0;
      if (change.undoes().isPresent()) {
        words.removeIf(word -> word.id() == change.undoes().getAsLong());
      } else if (change.action() != Change.Action.SKIP) {
        words.add(change);
      }
      labelled += (isLabelled(words) ? 1 : 0) - before;
      moments.add(change.at());
      counts.add(labelled);
    }
    if (moments.size() < 2) {
      return Html.of("<p class=\"soft\">It begins with the first labels.</p>");
    }
    Instant start = moments.get(0);
    Instant end = moments.get(moments.size() - 1);
    double most = counts.stream().mapToInt(Integer::intValue).max().orElse(1);
    Frame frame = new Frame(0, Duration.between(start, end).toMillis(), 0, Math.max(1, most));
    Html svg = open("%d labels since %s".formatted(labelled, moment(start)));
    axes(svg, frame, List.of(0.0, Math.max(1, most)), "", moment(start));
    svg.add(
        "<text class=\"end\" x=\"%s\" y=\"%s\">%s UTC</text>",
        WIDTH - RIGHT, HEIGHT - 6, moment(end).substring(11));
    List<String> line = new ArrayList<>();
    int step = Math.max(1, moments.size() / MOST_STEPS);
    for (int i = 0; i < moments.size(); i++) {
      if (i % step == 0 || i == moments.size() - 1) {
        line.add(frame.point(Duration.between(start, moments.get(i)).toMillis(), counts.get(i)));
      }
    }
    svg.add("<polyline class=\"curve\" points=\"%s\"/>", String.join(" ", line));
    return svg.add("</svg>");
  }

  /** Whether the last of the words that hold is a label. */
  private static boolean isLabelled(List<Change> words) {
    return !words.isEmpty() && words.get(words.size() - 1).action() != Change.Action.CLEAR;
  }

  /** How many items there are of each class. */
  static Html balance(List<LabelClass> classes, Map<Long, Long> counts) {
    long most = Math.max(1, counts.values().stream().mapToLong(Long::longValue).max().orElse(1));
    Html table = new Html().add("<table class=\"balance\">");
    for (LabelClass each : classes) {
      long count = counts.getOrDefault(each.id(), 0L);
      table.add(
          "<tr><th>%s</th><td><meter min=\"0\" max=\"%s\" value=\"%s\">%s</meter></td>"
              + "<td>%s</td></tr>",
          each.name(), most, count, count, count);
    }
    return table.add("</table>");
  }

  /**
   * Where items lie for the model.
   *
   * @param places the classes of labelled items, by place
   * @param picks items of the last batch
   */
  static Html map(ItemMap map, Map<Integer, Integer> places, Set<Integer> picks, String path) {
    if (map.points().isEmpty()) {
      return Html.of("<p class=\"soft\">It is drawn with the first batch.</p>");
    }
    double fromX = map.points().stream().mapToDouble(ItemMap.Point::x).min().orElse(0);
    double toX = map.points().stream().mapToDouble(ItemMap.Point::x).max().orElse(1);
    double fromY = map.points().stream().mapToDouble(ItemMap.Point::y).min().orElse(0);
    double toY = map.points().stream().mapToDouble(ItemMap.Point::y).max().orElse(1);
    Html svg = new Html();
    svg.add(
        "<svg class=\"map\" viewBox=\"0 0 %s %s\" role=\"img\" data-items=\"%s/items/\""
            + " aria-label=\"a map of %s items: %s labelled, %s picked\">",
        MAP, MAP, path, map.points().size(), places.size(), picks.size());
    for (int layer = 0; layer < 3; layer++) {
      for (ItemMap.Point point : map.points()) {
        boolean labelled = places.containsKey(point.item());
        boolean picked = picks.contains(point.item());
        if (layer != (picked ? 2 : labelled ? 1 : 0)) {
          continue;
        }
        int colour = labelled ? places.get(point.item()) : point.predicted();
        svg.add(
            "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\" data-item=\"%s\"/>",
            (labelled ? "labelled " : picked ? "picked " : point.candidate() ? "candidate " : "")
                + (colour < 0 ? "none" : "c" + colour % 10),
            number(10 + (point.x() - fromX) / Math.max(1e-9, toX - fromX) * (MAP - 20)),
            number(10 + (point.y() - fromY) / Math.max(1e-9, toY - fromY) * (MAP - 20)),
            picked ? 7 : labelled ? 5 : 3,
            point.item());
      }
    }
    return svg.add("</svg>");
  }
}
