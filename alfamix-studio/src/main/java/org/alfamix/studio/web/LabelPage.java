package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.Workshop;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.StoreException;
import org.alfamix.studio.store.Word;

/**
 * Where a person labels: one item, why it was chosen, what is like it, and a button with a key for
 * every answer; or a grid of items, several of which can be answered at once. Each answer goes to
 * the server, which keeps it and sends what comes next.
 */
final class LabelPage {
  private static final int AHEAD = 3;
  private static final int IN_GRID = 24;

  private final Studio studio;
  private final Cards cards;

  LabelPage(Studio studio) {
    this.studio = studio;
    this.cards = new Cards(studio);
  }

  void register(RoutesConfig routes) {
    routes.get("/p/{project}", context -> page(context, "label"));
    routes.get("/p/{project}/grid", context -> page(context, "grid"));
    routes.get("/p/{project}/card", this::card);
    routes.post("/p/{project}/say", this::say);
    routes.post("/p/{project}/undo", this::undo);
  }

  private Project find(Context context) {
    return studio.project(context.pathParam("project"));
  }

  private void page(Context context, String view) {
    Project project = find(context);
    Html body = new Html();
    body.add(
        "<main>%s<p id=\"said\" class=\"said\" role=\"status\"></p></main>",
        next(context, project, view, List.of()));
    body.add("%s", help(view));
    Layout.page(context, project.name(), project, view, body);
  }

  private void card(Context context) {
    String view = "grid".equals(context.queryParam("view")) ? "grid" : "label";
    context.html(next(context, find(context), view, List.of()).toString());
  }

  private void say(Context context) {
    Project project = find(context);
    List<Word> words = AnnotationForm.of(context);
    String said;
    try {
      studio.say(project, words);
      said = said(project, words);
    } catch (StoreException e) {
      if (e.kind() != StoreException.Kind.CONFLICT) {
        throw e;
      }
      said = "Not taken: " + e.getMessage(); // somebody else was quicker
    }
    answer(context, project, List.of(), said);
  }

  /**
   * What comes next, and a word on what was done; where that stands, screen readers read it out.
   */
  private void answer(Context context, Project project, List<Integer> first, String said) {
    Html html = next(context, project, view(context), first);
    html.add("<p id=\"said\" hx-swap-oob=\"innerHTML\">%s</p>", said);
    context.html(html.toString());
  }

  private static String view(Context context) {
    return "grid".equals(context.formParam("view")) ? "grid" : "label";
  }

  private String said(Project project, List<Word> words) {
    Word first = words.get(0);
    String what =
        first.classId().isPresent()
            ? Cards.className(studio.store().classes(project.id()), first.classId().getAsLong())
            : first.action() == Change.Action.SKIP ? "skipped" : first.action().toString();
    return "%s: %s.".formatted(items(words.stream().map(Word::item).toList()), what);
  }

  private static String items(List<Integer> items) {
    return items.size() == 1
        ? "Item " + items.get(0)
        : items.size()
            + " items ("
            + items.stream().limit(5).map(String::valueOf).collect(Collectors.joining(", "))
            + (items.size() > 5 ? ", …)" : ")");
  }

  private void undo(Context context) {
    Project project = find(context);
    String request = context.formParam("request");
    if (request == null) {
      throw new InvalidRequestException("'request' is missing.");
    }
    List<Integer> items = studio.undo(project, Layout.annotator(context), request);
    String said =
        items.isEmpty() ? "There is nothing to take back." : items(items) + ": taken back.";
    answer(context, project, items, said);
  }

  /**
   * What an annotator sees next, or word that there is nothing.
   *
   * @param first items to begin with, where they can be had
   */
  private Html next(Context context, Project project, String view, List<Integer> first) {
    boolean grid = view.equals("grid");
    List<Integer> items =
        studio.next(project, Layout.annotator(context), grid ? IN_GRID : 1 + AHEAD, first);
    if (items.isEmpty()) {
      return nothing(project, view);
    }
    return grid ? grid(project, items) : card(project, items);
  }

  private Html nothing(Project project, String view) {
    Workshop.State state = studio.workshop(project).state();
    String why =
        state.busy()
            ? "One moment: " + state.what() + "."
            : "Nothing is left to label for you: all is labelled, skipped, or with others.";
    return new Html()
        .add(
            "<section id=\"card\" tabindex=\"-1\" hx-get=\"%s/card?view=%s\" hx-trigger=\"load"
                + " delay:1s\" hx-swap=\"outerHTML\">",
            Layout.path(project), view)
        .add("%s", cards.state(project))
        .add("<p>%s</p>", why)
        .add("%s", undoButton(project, view))
        .add("</section>");
  }

  private Html card(Project project, List<Integer> items) {
    int item = items.get(0);
    Optional<QueuedPick> pick = studio.pick(project, item);
    Html card = new Html();
    card.add(
        "<section id=\"card\" tabindex=\"-1\" data-item=\"%s\" aria-label=\"item %s\">",
        item, item);
    card.add("%s", cards.state(project));
    card.add("<div class=\"item\">%s</div>", cards.shown(project, item, false));
    card.add("<p class=\"reason\">%s</p>", reason(project, item, pick));
    pick.ifPresent(found -> card.add("%s", cards.near(project, found)));
    card.add("%s", form(project, "label"));
    card.add("<input type=\"hidden\" name=\"item\" value=\"%s\">", item);
    card.add("%s", cards.answers(project, predicted(pick)));
    card.add(
        "<button name=\"action\" value=\"skip\" data-key=\"Space\"><kbd>Space</kbd>"
            + " skip</button>");
    card.add("</form>");
    card.add("%s", undoButton(project, "label"));
    for (int later : items.subList(1, items.size())) {
      card.add(
          "<div class=\"ahead\" aria-hidden=\"true\">%s</div>", cards.shown(project, later, false));
    }
    return card.add("</section>");
  }

  private static Optional<Long> predicted(Optional<QueuedPick> pick) {
    return pick.filter(found -> found.predicted().isPresent())
        .map(found -> found.predicted().getAsLong());
  }

  private String reason(Project project, int item, Optional<QueuedPick> pick) {
    if (pick.isPresent()) {
      return "Why this one: " + pick.get().reason() + ".";
    }
    return studio.store().held(project.id()).contains(item)
        ? "This one tests the model: it is never trained on."
        : "While the next batch is made: one that the model is unsure of, or one by lot.";
  }

  private static Html form(Project project, String view) {
    return new Html()
        .add(
            "<form class=\"answers\" hx-post=\"%s/say\" hx-target=\"#card\" hx-swap=\"outerHTML\">",
            Layout.path(project))
        .add("<input type=\"hidden\" name=\"view\" value=\"%s\">", view)
        .add("<input type=\"hidden\" name=\"request\" value=\"%s\">", UUID.randomUUID());
  }

  private static Html undoButton(Project project, String view) {
    return Html.of(
        "<button class=\"undo\" data-key=\"Backspace\" hx-post=\"%s/undo\""
            + " hx-vals='{\"view\":\"%s\",\"request\":\"%s\"}' hx-target=\"#card\""
            + " hx-swap=\"outerHTML\"><kbd>Backspace</kbd> undo</button>",
        Layout.path(project), view, UUID.randomUUID());
  }

  private Html grid(Project project, List<Integer> items) {
    Map<Integer, QueuedPick> picks = studio.picks(project);
    Html card = new Html();
    card.add("<section id=\"card\" tabindex=\"-1\" aria-label=\"%s items\">", items.size());
    card.add("%s", cards.state(project));
    card.add("%s", form(project, "grid"));
    card.add("<fieldset class=\"cells\"><legend>Select, then answer for all selected</legend>");
    for (int item : items) {
      Optional<QueuedPick> pick = Optional.ofNullable(picks.get(item));
      String guess =
          predicted(pick)
              .map(id -> Cards.className(studio.store().classes(project.id()), id))
              .orElse("");
      card.add(
          "<label class=\"cell\"><input type=\"checkbox\" name=\"item\" value=\"%s\"%s>%s<span>%s"
              + "</span></label>",
          item,
          predicted(pick).map(id -> Html.of(" data-predicted=\"%s\"", id)).orElse(new Html()),
          cards.shown(project, item, true),
          guess.isEmpty() ? "item " + item : guess + "?");
    }
    card.add("</fieldset>");
    card.add("%s", cards.answers(project, Optional.empty()));
    card.add("</form>");
    card.add("%s", undoButton(project, "grid"));
    return card.add("</section>");
  }

  private static Html help(String view) {
    Html help = new Html();
    help.add(
        "<button id=\"help-button\" type=\"button\" aria-label=\"help\"><kbd>?</kbd></button>");
    help.add("<dialog id=\"help\" aria-label=\"keys\"><h2>Keys</h2><table>");
    if (view.equals("grid")) {
      help.add(
          "<tr><th><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd></th><td>go to another"
              + " item</td></tr>");
      help.add("<tr><th><kbd>Space</kbd></th><td>select it, or not</td></tr>");
      help.add(
          "<tr><th><kbd>Enter</kbd></th><td>select all that the model thinks the same"
              + " of</td></tr>");
      help.add("<tr><th><kbd>Esc</kbd></th><td>select none</td></tr>");
    } else {
      help.add("<tr><th><kbd>Enter</kbd></th><td>what the model predicts is right</td></tr>");
      help.add("<tr><th><kbd>Space</kbd></th><td>skip: later, or somebody else</td></tr>");
    }
    help.add(
        "<tr><th><kbd>1</kbd> … <kbd>9</kbd>, letters</th><td>the class on the button</td></tr>");
    help.add("<tr><th><kbd>-</kbd></th><td>nobody could tell</td></tr>");
    help.add("<tr><th><kbd>Backspace</kbd></th><td>take the last answer back</td></tr>");
    help.add("<tr><th><kbd>?</kbd></th><td>this help</td></tr>");
    help.add("</table><form method=\"dialog\"><button autofocus>close</button></form></dialog>");
    return help;
  }
}
