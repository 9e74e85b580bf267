package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.alfamix.data.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.source.Shown;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Pick;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.Round;
import org.alfamix.studio.store.Word;

/**
 * Where a person labels: one item, why it was chosen, what is like it, and a button with a key for
 * every answer. Each answer is sent to the server, which keeps it and sends the next item.
 */
final class LabelPage {
  private static final int AHEAD = 3;
  private static final String ANNOTATOR = "alfamix-annotator";

  private final Studio studio;

  LabelPage(Studio studio) {
    this.studio = studio;
  }

  void register(RoutesConfig routes) {
    routes.get("/p/{project}", this::page);
    routes.post("/p/{project}/say", this::say);
    routes.post("/p/{project}/undo", this::undo);
    routes.get("/p/{project}/card", this::card);
  }

  static String annotator(Context context) {
    String name = context.cookie(ANNOTATOR);
    return name == null || name.isBlank() || name.length() > 80 ? "me" : name;
  }

  static String path(Project project) {
    return "/p/" + URLEncoder.encode(project.name(), StandardCharsets.UTF_8);
  }

  private static String content(Project project, int item) {
    return "/api/projects/%s/items/%d/content"
        .formatted(URLEncoder.encode(project.name(), StandardCharsets.UTF_8), item);
  }

  private void page(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Html body = new Html();
    body.add("<main id=\"desk\">%s</main>", next(project, annotator(context), ""));
    context.html(Layout.page(project.name(), project, body));
  }

  private void card(Context context) {
    Project project = studio.project(context.pathParam("project"));
    context.html(next(project, annotator(context), "").toString());
  }

  private void say(Context context) {
    Project project = studio.project(context.pathParam("project"));
    String who = annotator(context);
    String chosen = context.formParam("class");
    String action = context.formParam("action");
    Word word =
        new Word(
            Api.number(context.formParam("item")),
            action == null
                ? Change.Action.LABEL
                : Change.Action.valueOf(action.toUpperCase(Locale.ROOT)),
            chosen == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(chosen)),
            who,
            context.formParam("request"));
    studio.say(project, word);
    context.html(next(project, who, said(project, word)).toString());
  }

  private String said(Project project, Word word) {
    if (word.classId().isEmpty()) {
      return "Item %d: %s.".formatted(word.item(), word.action());
    }
    String name =
        studio.store().classes(project.id()).stream()
            .filter(each -> each.id() == word.classId().getAsLong())
            .map(LabelClass::name)
            .findFirst()
            .orElse("");
    return "Item %d: %s.".formatted(word.item(), name);
  }

  private void undo(Context context) {
    Project project = studio.project(context.pathParam("project"));
    String who = annotator(context);
    var item = studio.undo(project, who, UUID.randomUUID().toString());
    Html card =
        item.isPresent()
            ? item(project, item.getAsInt(), List.of(), "Taken back: item " + item.getAsInt() + ".")
            : next(project, who, "There is nothing to take back.");
    context.html(card.toString());
  }

  /** The next item for an annotator, or word that there is none. */
  private Html next(Project project, String who, String said) {
    List<Integer> items = studio.next(project, who, AHEAD);
    if (items.isEmpty()) {
      Workshop.State state = studio.workshop(project).state();
      Html card = new Html();
      String why =
          state.busy()
              ? "One moment: " + state.what() + "."
              : "All is labelled, or with other annotators.";
      card.add(
          "<section id=\"card\" hx-get=\"%s/card\" hx-trigger=\"load delay:1s\""
              + " hx-swap=\"outerHTML\"><p role=\"status\">%s</p></section>",
          path(project), why);
      return card;
    }
    return item(project, items.get(0), items.subList(1, items.size()), said);
  }

  private Html item(Project project, int item, List<Integer> ahead, String said) {
    Optional<Pick> pick = pick(project, item);
    List<LabelClass> classes = studio.store().classes(project.id());
    Html card = new Html();
    card.add("<section id=\"card\" data-item=\"%s\" aria-label=\"item %s\">", item, item);
    card.add("<div class=\"item\">%s</div>", shown(project, item));
    card.add(
        "<p class=\"reason\">%s</p>",
        pick.map(Pick::reason).orElse("to test the model, or while the next batch is made"));
    near(card, project, pick, classes);
    card.add(
        "<form class=\"answers\" hx-post=\"%s/say\" hx-target=\"#card\" hx-swap=\"outerHTML\">",
        path(project));
    card.add("<input type=\"hidden\" name=\"item\" value=\"%s\">", item);
    card.add("<input type=\"hidden\" name=\"request\" value=\"%s\">", UUID.randomUUID());
    for (LabelClass each : classes) {
      boolean predicted =
          pick.isPresent()
              && pick.get().predicted().isPresent()
              && pick.get().predicted().getAsLong() == each.id();
      String key = Keys.of(each.place());
      card.add(
          "<button name=\"class\" value=\"%s\" data-key=\"%s\"%s><kbd>%s</kbd> %s%s</button>",
          each.id(),
          key,
          predicted ? new Html().add(" class=\"predicted\" data-confirm=\"yes\"") : "",
          key,
          each.name(),
          predicted ? " (predicted)" : "");
    }
    card.add(
        "<button name=\"action\" value=\"skip\" data-key=\"Space\"><kbd>Space</kbd>"
            + " skip</button>");
    card.add(
        "<button name=\"action\" value=\"unclear\" data-key=\"0\"><kbd>0</kbd> unclear</button>");
    card.add("</form>");
    card.add(
        "<button class=\"undo\" data-key=\"Backspace\" hx-post=\"%s/undo\" hx-target=\"#card\""
            + " hx-swap=\"outerHTML\"><kbd>Backspace</kbd> undo</button>",
        path(project));
    card.add("<p class=\"said\" role=\"status\">%s</p>", said);
    for (int later : ahead) {
      card.add("<link rel=\"preload\" as=\"image\" href=\"%s\">", content(project, later));
    }
    card.add("</section>");
    return card;
  }

  private Optional<Pick> pick(Project project, int item) {
    List<Round> rounds = studio.store().rounds(project.id());
    return rounds.isEmpty()
        ? Optional.empty()
        : studio.store().picks(project.id(), rounds.size() - 1).stream()
            .filter(pick -> pick.item() == item)
            .findFirst();
  }

  private Html shown(Project project, int item) {
    Html html = new Html();
    Shown shown = studio.workshop(project).source().show(item);
    if (shown instanceof Shown.Picture) {
      html.add("<img src=\"%s\" alt=\"item %s\">", content(project, item), item);
    } else if (shown instanceof Shown.Text text) {
      html.add("<p class=\"text\">%s</p>", text.text());
    } else if (shown instanceof Shown.Link link) {
      html.add(
          "<a href=\"%s\" rel=\"noreferrer\" target=\"_blank\">%s</a>",
          link.address(), link.address());
    } else if (shown instanceof Shown.Fields fields) {
      html.add("<table>");
      fields
          .values()
          .forEach((name, value) -> html.add("<tr><th>%s</th><td>%s</td></tr>", name, value));
      html.add("</table>");
    }
    return html;
  }

  /** Labelled items that are like this one. */
  private void near(Html card, Project project, Optional<Pick> pick, List<LabelClass> classes) {
    if (pick.isEmpty()) {
      return;
    }
    Map<Long, String> names =
        classes.stream().collect(Collectors.toMap(LabelClass::id, LabelClass::name));
    int[] items =
        JsonTree.parse(java.nio.file.Path.of("studio.db"), "near", pick.get().near()).integers();
    if (items.length == 0) {
      return;
    }
    card.add("<ul class=\"near\" aria-label=\"labelled items that are like it\">");
    for (int item : items) {
      Optional<Label> label = studio.store().label(project.id(), item);
      String name =
          label
              .filter(found -> found.classId().isPresent())
              .map(found -> names.get(found.classId().getAsLong()))
              .orElse("?");
      card.add("<li>%s<span>%s</span></li>", shown(project, item), name);
    }
    card.add("</ul>");
  }
}
