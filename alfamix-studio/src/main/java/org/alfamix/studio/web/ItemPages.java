package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.Word;

/** What was said so far: all labelled items, and one with its history, to say something else. */
final class ItemPages {
  private static final int ON_A_PAGE = 60;

  private final Studio studio;
  private final Cards cards;

  ItemPages(Studio studio) {
    this.studio = studio;
    this.cards = new Cards(studio);
  }

  void register(RoutesConfig routes) {
    routes.get("/p/{project}/items", this::list);
    routes.get("/p/{project}/items/{item}", this::item);
    routes.post("/p/{project}/items/{item}/say", this::say);
  }

  private void list(Context context) {
    Project project = studio.project(context.pathParam("project"));
    List<LabelClass> classes = studio.store().classes(project.id());
    String wanted = Optional.ofNullable(context.queryParam("as")).orElse("");
    Predicate<Label> matches =
        switch (wanted) {
          case "" -> label -> true;
          case "unclear" -> label -> label.classId().isEmpty();
          default ->
              label ->
                  label.classId().isPresent()
                      && String.valueOf(label.classId().getAsLong()).equals(wanted);
        };
    List<Label> labels =
        studio.store().labels(project.id()).values().stream()
            .filter(matches)
            .sorted(Comparator.comparingLong(Label::change).reversed())
            .toList();
    int page = Api.integer(Optional.ofNullable(context.queryParam("page")).orElse("0"), 0, 1 << 20);
    Html body = new Html().add("<main><h2>Labelled items, the last first</h2>");
    body.add("<p class=\"filters\"><a href=\"?\"%s>all</a>", current(wanted.isEmpty()));
    for (LabelClass each : classes) {
      body.add(
          "<a href=\"?as=%s\"%s>%s</a>",
          each.id(), current(wanted.equals(String.valueOf(each.id()))), each.name());
    }
    body.add("<a href=\"?as=unclear\"%s>unclear</a></p>", current(wanted.equals("unclear")));
    body.add("<p>%s items</p><ul class=\"cells\">", labels.size());
    for (Label label : labels.stream().skip((long) page * ON_A_PAGE).limit(ON_A_PAGE).toList()) {
      body.add(
          "<li class=\"cell\"><a href=\"%s/items/%s\">%s<span>%s</span></a></li>",
          Layout.path(project),
          label.item(),
          cards.shown(project, label.item(), true),
          label.classId().isPresent()
              ? Cards.className(classes, label.classId().getAsLong())
              : "unclear");
    }
    body.add("</ul><p class=\"filters\">");
    if (page > 0) {
      body.add("<a href=\"?as=%s&amp;page=%s\">newer</a>", wanted, page - 1);
    }
    if (labels.size() > (page + 1) * ON_A_PAGE) {
      body.add("<a href=\"?as=%s&amp;page=%s\">older</a>", wanted, page + 1);
    }
    body.add("</p></main>");
    Layout.page(context, "items of " + project.name(), project, "items", body);
  }

  private static Html current(boolean is) {
    return is ? Html.of(" aria-current=\"true\"") : new Html();
  }

  private void item(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    Optional<QueuedPick> pick = studio.pick(project, item.number());
    Html body = new Html();
    body.add("<main><section id=\"card\" tabindex=\"-1\" aria-label=\"item %s\">", item.number());
    body.add("<h2>%s</h2>", item.name());
    body.add("<div class=\"item\">%s</div>", cards.shown(project, item.number(), false));
    body.add(
        "<p>%s%s</p>",
        cards
            .labelled(project, item.number())
            .map(name -> "Labelled as: " + name + ".")
            .orElse("Not labelled yet."),
        item.held() ? " It only serves to test the model." : "");
    pick.ifPresent(
        found ->
            body.add("<p class=\"reason\">Why it was picked: %s.</p>", found.reason())
                .add("%s", cards.near(project, found)));
    body.add(
        "<form class=\"answers\" hx-post=\"%s/items/%s/say\" hx-swap=\"none\">",
        Layout.path(project), item.number());
    body.add("<input type=\"hidden\" name=\"item\" value=\"%s\">", item.number());
    body.add("<input type=\"hidden\" name=\"again\" value=\"yes\">");
    body.add("<input type=\"hidden\" name=\"request\" value=\"%s\">", UUID.randomUUID());
    body.add("%s", cards.answers(project, Optional.empty()));
    body.add("<button name=\"action\" value=\"clear\">no label</button></form>");
    history(body, project, item);
    body.add("</section></main>");
    Layout.page(context, item.name(), project, "", body);
  }

  private void history(Html body, Project project, Item item) {
    List<LabelClass> classes = studio.store().classes(project.id());
    List<Change> changes = studio.store().history(project.id(), item.number());
    if (changes.isEmpty()) {
      return;
    }
    body.add("<h3>What was said of it</h3><table class=\"history\">");
    body.add("<tr><th>when</th><th>who</th><th>what</th></tr>");
    for (Change change : changes) {
      String what =
          change.classId().isPresent()
              ? "%s: %s"
                  .formatted(
                      change.action(), Cards.className(classes, change.classId().getAsLong()))
              : change.action().toString();
      body.add(
          "<tr><td><time datetime=\"%s\">%s</time></td><td>%s</td><td>%s</td></tr>",
          change.at(), Charts.moment(change.at()), change.annotator(), what);
    }
    body.add("</table>");
  }

  private void say(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    List<Word> words = AnnotationForm.of(context);
    if (words.stream().anyMatch(word -> word.item() != item.number())) {
      throw new InvalidRequestException("This page is of item %d.".formatted(item.number()));
    }
    studio.say(project, words);
    context.header("HX-Refresh", "true");
    context.status(204);
  }
}
