package org.alfamix.studio.web;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.Shown;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.TrainingRound;

/** Pieces that several pages have: an item, what is like it, answers with their keys, the state. */
final class Cards {
  private static final int THUMBNAIL = 320;
  private static final int LONGEST_EXCERPT = 160;

  private final Studio studio;

  Cards(Studio studio) {
    this.studio = studio;
  }

  /** An item as large as there is room, or as a small picture. */
  Html shown(Project project, int item, boolean small) {
    ItemSource source = studio.workshop(project).source();
    Shown shown = null;
    try {
      if (!source.isPicture(item) && !source.isClip(item)) {
        shown = source.show(item);
      }
    } catch (DataException e) {
      return Html.of("<p class=\"text\">%s</p>", e.getMessage());
    }
    if (shown == null && source.isClip(item) && !small) {
      return clip(project, item);
    }
    if (shown == null) {
      return Html.of(
          "<img src=\"%s%s\" alt=\"item %s\">",
          Layout.content(project, item), small ? "&side=" + THUMBNAIL : "", item);
    }
    if (shown instanceof Shown.Text text) {
      return Html.of("<p class=\"text\">%s</p>", small ? excerpt(text.text()) : text.text());
    }
    if (shown instanceof Shown.Link link) {
      return isWeb(link.address())
          ? Html.of(
              "<a href=\"%s\" rel=\"noreferrer noopener\" target=\"_blank\">%s</a>",
              link.address(), link.address())
          : Html.of("<p class=\"text\">%s</p>", link.address());
    }
    return table(((Shown.Fields) shown).values(), small);
  }

  /** Without sound and over and over, as long as it is on the screen (see studio.js). */
  private static Html clip(Project project, int item) {
    String address = Layout.content(project, item);
    return Html.of(
        "<video src=\"%s\" poster=\"%s&side=%s\" muted loop playsinline controls preload=\"auto\""
            + " aria-label=\"item %s\"></video>",
        address, address, 2 * THUMBNAIL, item);
  }

  /** Anything else, as a script, is no address to go to. */
  private static boolean isWeb(String address) {
    return address.startsWith("https://") || address.startsWith("http://");
  }

  private static String excerpt(String text) {
    return text.length() <= LONGEST_EXCERPT ? text : text.substring(0, LONGEST_EXCERPT) + " …";
  }

  private static Html table(Map<String, String> values, boolean small) {
    if (small) {
      return Html.of(
          "<p class=\"text\">%s</p>",
          excerpt(
              values.entrySet().stream()
                  .map(each -> each.getKey() + " " + each.getValue())
                  .collect(Collectors.joining(", "))));
    }
    Html html = new Html().add("<table>");
    values.forEach((name, value) -> html.add("<tr><th>%s</th><td>%s</td></tr>", name, value));
    return html.add("</table>");
  }

  /** Labelled items that are like a pick. */
  Html near(Project project, QueuedPick pick) {
    int[] items = JsonTree.parse(Path.of("studio.db"), "near", pick.near()).integers();
    Html html = new Html();
    if (items.length == 0) {
      return html;
    }
    html.add("<ul class=\"near\" aria-label=\"labelled items that are like it\">");
    for (int item : items) {
      html.add(
          "<li><a href=\"%s/items/%s\">%s<span>%s</span></a></li>",
          Layout.path(project),
          item,
          shown(project, item, true),
          labelled(project, item).orElse("?"));
    }
    return html.add("</ul>");
  }

  /** What an item was labelled as, in words. */
  Optional<String> labelled(Project project, int item) {
    return studio.store().label(project.id(), item).map(label -> name(project, label));
  }

  private String name(Project project, Label label) {
    return label.classId().isEmpty()
        ? "unclear"
        : className(studio.store().classes(project.id()), label.classId().getAsLong());
  }

  static String className(List<LabelClass> classes, long id) {
    return classes.stream()
        .filter(each -> each.id() == id)
        .map(LabelClass::name)
        .findFirst()
        .orElse("?");
  }

  /**
   * A button with a key for every class, and for being unsure.
   *
   * @param predicted the class that the model would give; none where it has no idea
   */
  Html answers(Project project, Optional<Long> predicted) {
    List<LabelClass> classes = studio.store().classes(project.id());
    List<String> keys = Keys.of(classes);
    Html html = new Html();
    for (int c = 0; c < classes.size(); c++) {
      LabelClass each = classes.get(c);
      boolean sure = predicted.filter(id -> id == each.id()).isPresent();
      html.add(
          "<button name=\"class\" value=\"%s\"%s%s>%s %s%s</button>",
          each.id(),
          keys.get(c).isEmpty() ? "" : Html.of(" data-key=\"%s\"", keys.get(c)),
          sure ? Html.of(" class=\"predicted\" data-confirm=\"yes\"") : "",
          keys.get(c).isEmpty() ? "" : Html.of("<kbd>%s</kbd>", keys.get(c)),
          each.name(),
          sure ? Html.of(" <small>predicted, <kbd>Enter</kbd></small>") : "");
    }
    html.add(
        "<button name=\"action\" value=\"unclear\" data-key=\"-\"><kbd>-</kbd> unclear</button>");
    return html;
  }

  /** How far the batch is, how good the model, and what goes on behind. */
  Html state(Project project) {
    Optional<TrainingRound> round = studio.store().lastRound(project.id());
    Workshop.State state = studio.workshop(project).state();
    Html html = new Html().add("<p class=\"state\">");
    if (round.isPresent()) {
      TrainingRound last = round.get();
      int all = studio.store().picks(project.id(), last.number()).size();
      int open = studio.store().openPicks(project.id(), last.number()).size();
      html.add("<span>batch %s: %s of %s</span>", last.number() + 1, all - open, all);
      html.add(
          "<progress max=\"%s\" value=\"%s\" aria-label=\"batch\"></progress>", all, all - open);
      if (last.tested() > 0) {
        Interval right = Interval.of(last.correct(), last.tested());
        html.add(
            "<span title=\"on %s held-out items that somebody has labelled\">model %s (%s to"
                + " %s)</span>",
            last.tested(), percent(right.share()), percent(right.from()), percent(right.to()));
      }
    }
    html.add("<span>%s labels</span>", studio.store().countLabels(project.id()));
    if (state.busy()) {
      html.add("<span class=\"busy\">%s …</span>", state.what());
    }
    if (!state.failure().isEmpty()) {
      html.add("<span class=\"failure\">%s</span>", state.failure());
    }
    List<String> unreadable = studio.workshop(project).unreadable();
    if (!unreadable.isEmpty()) {
      html.add(
          "<span class=\"failure\" title=\"%s\">%s</span>",
          String.join("; ", unreadable.stream().limit(5).toList()),
          unreadable.size() == 1
              ? "1 item cannot be read"
              : unreadable.size() + " items cannot be read");
    }
    return html.add("</p>");
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f\u00a0%%", 100 * share);
  }

  static ProjectOptions options(Project project) {
    return ProjectOptions.parse(project.options());
  }
}
