package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;

/**
 * The labelled items, and the page of one item with its history, where its label can be changed.
 */
final class ItemPages {
  private static final int ON_A_PAGE = 60;
  private static final String UNCLEAR = "unclear";

  private final Studio studio;
  private final Texts texts;
  private final Cards cards;

  ItemPages(Studio studio, Texts texts) {
    this.studio = studio;
    this.texts = texts;
    this.cards = new Cards(studio, texts);
  }

  /** A link to the labelled items of a class. */
  record Filter(String address, String name, boolean current) {}

  /** A labelled item. */
  record Labelled(String address, ItemView shown, String label) {}

  /** A change of an item's label. */
  record Entry(String at, String when, String annotator, String what) {}

  void register(RoutesConfig routes) {
    routes.get("/p/{project}/items", this::list);
    routes.get("/p/{project}/items/{item}", this::item);
    routes.get("/p/{project}/items/{item}/highlights", this::highlights);
    routes.post("/p/{project}/items/{item}/answers", this::save);
  }

  private void highlights(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    Pages.render(
        context, "highlighted.jte", Map.of("text", cards.highlighted(project, item.number())));
  }

  private void list(Context context) {
    Project project = studio.project(context.pathParam("project"));
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    String wanted = Optional.ofNullable(context.queryParam("as")).orElse("");
    Predicate<Label> matches =
        switch (wanted) {
          case "" -> label -> true;
          case UNCLEAR -> label -> label.classId().isEmpty();
          default ->
              label ->
                  label.classId().isPresent()
                      && String.valueOf(label.classId().getAsLong()).equals(wanted);
        };
    List<Label> labels =
        studio.store().ledger().labels(project.id()).values().stream()
            .filter(matches)
            .sorted(Comparator.comparingLong(Label::change).reversed())
            .toList();
    int page = Api.integer(Optional.ofNullable(context.queryParam("page")).orElse("0"), 0, 1 << 20);
    boolean more = labels.size() > (page + 1) * ON_A_PAGE;
    Map<String, Object> values = new HashMap<>();
    values.put(
        "frame", Layout.frame(context, texts.get("title.items", project.name()), project, "items"));
    values.put("filters", filters(classes, wanted));
    values.put("count", labels.size());
    values.put(
        "items",
        labels.stream()
            .skip((long) page * ON_A_PAGE)
            .limit(ON_A_PAGE)
            .map(label -> labelled(project, classes, label))
            .toList());
    values.put("newer", page > 0 ? address(wanted, page - 1) : null);
    values.put("older", more ? address(wanted, page + 1) : null);
    Pages.render(context, "items.jte", values);
  }

  private static String address(String wanted, int page) {
    return "?as=%s&page=%d".formatted(Layout.encode(wanted), page);
  }

  private List<Filter> filters(List<LabelClass> classes, String wanted) {
    List<Filter> filters = new ArrayList<>();
    filters.add(new Filter("?", texts.get("items.all"), wanted.isEmpty()));
    for (LabelClass each : classes) {
      String id = String.valueOf(each.id());
      filters.add(new Filter("?as=" + id, each.name(), wanted.equals(id)));
    }
    filters.add(new Filter("?as=" + UNCLEAR, texts.get("items.unclear"), wanted.equals(UNCLEAR)));
    return filters;
  }

  private Labelled labelled(Project project, List<LabelClass> classes, Label label) {
    return new Labelled(
        Layout.item(project, label.item()),
        cards.shown(project, label.item(), true),
        cards.name(classes, label));
  }

  private void item(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    Optional<QueuedPick> pick = studio.pick(project, item.number());
    String label =
        cards
            .labelled(project, item.number())
            .map(name -> texts.get("item.labelled", name))
            .orElse(texts.get("item.unlabelled"));
    Map<String, Object> values = new HashMap<>();
    values.put("frame", Layout.frame(context, item.name(), project, ""));
    values.put("number", item.number());
    values.put("name", item.name());
    values.put("shown", cards.shown(project, item.number(), false));
    values.put("label", item.held() ? label + " " + texts.get("item.heldOut") : label);
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    values.put("reason", pick.map(each -> cards.reasons().of(each, classes)).orElse(null));
    values.put("near", pick.map(each -> cards.near(project, each)).orElse(List.of()));
    values.put("address", Layout.item(project, item.number()));
    values.put("request", UUID.randomUUID().toString());
    values.put("answers", cards.answers(project, Optional.empty()));
    values.put("history", history(project, item));
    Pages.render(context, "item.jte", values);
  }

  private List<Entry> history(Project project, Item item) {
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    return studio.store().ledger().history(project.id(), item.number()).stream()
        .map(change -> entry(classes, change))
        .toList();
  }

  private Entry entry(List<LabelClass> classes, Change change) {
    String action = texts.get("history." + change.action());
    String what =
        change.classId().isPresent()
            ? texts.get(
                "history.change", action, cards.className(classes, change.classId().getAsLong()))
            : action;
    return new Entry(change.at().toString(), Charts.moment(change.at()), change.annotator(), what);
  }

  private void save(Context context) {
    Project project = studio.project(context.pathParam("project"));
    Item item = studio.item(project, context.pathParam("item"));
    List<Answer> answers = AnnotationForm.of(context);
    if (answers.stream().anyMatch(answer -> answer.item() != item.number())) {
      throw new InvalidRequestException(texts.get("problem.other-item", item.number()));
    }
    studio.save(project, answers);
    context.header("HX-Refresh", "true");
    context.status(204);
  }
}
