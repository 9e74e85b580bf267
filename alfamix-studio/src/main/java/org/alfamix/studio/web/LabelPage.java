package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.StoreException;

/**
 * The pages on which a person labels: one item, the reason why it was picked, similar items, and a
 * button with a key for every answer; or a grid of items, several of which can be answered
 * together. The server stores each answer and sends the next items.
 */
final class LabelPage {
  private static final int AHEAD = 3;
  private static final int IN_GRID = 24;
  private static final int MAX_NAMED = 5;

  private final Studio studio;
  private final Texts texts;
  private final Cards cards;

  LabelPage(Studio studio, Texts texts) {
    this.studio = studio;
    this.texts = texts;
    this.cards = new Cards(studio, texts);
  }

  void register(RoutesConfig routes) {
    routes.get("/p/{project}", context -> page(context, "label"));
    routes.get("/p/{project}/grid", context -> page(context, "grid"));
    routes.get("/p/{project}/card", this::card);
    routes.post("/p/{project}/answers", this::save);
    routes.post("/p/{project}/undo", this::undo);
  }

  private Project find(Context context) {
    return studio.project(context.pathParam("project"));
  }

  private void page(Context context, String view) {
    Project project = find(context);
    Pages.render(
        context,
        "label.jte",
        Map.of(
            "frame",
            Layout.frame(context, project.name(), project, view),
            "next",
            next(context, project, view, List.of()),
            "grid",
            view.equals("grid")));
  }

  private void card(Context context) {
    String view = "grid".equals(context.queryParam("view")) ? "grid" : "label";
    Pages.render(
        context, "next.jte", Map.of("next", next(context, find(context), view, List.of())));
  }

  private void save(Context context) {
    Project project = find(context);
    List<Answer> answers = AnnotationForm.of(context);
    String note;
    try {
      studio.save(project, answers);
      note = describe(project, answers);
    } catch (StoreException e) {
      if (e.kind() != StoreException.Kind.CONFLICT) {
        throw e;
      }
      note = texts.get("status.conflict", e.getMessage()); // another annotator was faster
    }
    answer(context, project, List.of(), note);
  }

  /** Answers with the next items and a note on what was done, which screen readers announce. */
  private void answer(Context context, Project project, List<Integer> first, String note) {
    Pages.render(
        context,
        "answered.jte",
        Map.of("next", next(context, project, view(context), first), "status", note));
  }

  private static String view(Context context) {
    return "grid".equals(context.formParam("view")) ? "grid" : "label";
  }

  private String describe(Project project, List<Answer> answers) {
    Answer first = answers.get(0);
    String what =
        first.classId().isPresent()
            ? cards.className(
                studio.store().projects().classes(project.id()), first.classId().getAsLong())
            : texts.get("status." + first.action());
    return texts.get("status.answer", items(answers.stream().map(Answer::item).toList()), what);
  }

  private String items(List<Integer> items) {
    if (items.size() == 1) {
      return texts.get("status.item", items.get(0));
    }
    List<String> named =
        new ArrayList<>(items.stream().limit(MAX_NAMED).map(String::valueOf).toList());
    if (items.size() > MAX_NAMED) {
      named.add(texts.get("status.more"));
    }
    return texts.get("status.items", items.size(), String.join(", ", named));
  }

  private void undo(Context context) {
    Project project = find(context);
    String request = context.formParam("request");
    if (request == null) {
      throw new InvalidRequestException("'request' is missing.");
    }
    List<Integer> items = studio.undo(project, Layout.annotator(context), request);
    String note =
        items.isEmpty()
            ? texts.get("status.nothingToUndo")
            : texts.get("status.undone", items(items));
    answer(context, project, items, note);
  }

  /**
   * Returns what an annotator sees next.
   *
   * @param first items to start with, if they are available
   */
  private CardViews.Next next(Context context, Project project, String view, List<Integer> first) {
    boolean grid = view.equals("grid");
    List<Integer> items =
        studio.next(project, Layout.annotator(context), grid ? IN_GRID : 1 + AHEAD, first);
    if (items.isEmpty()) {
      return nothing(project, view);
    }
    return grid ? grid(project, items) : card(project, items);
  }

  private CardViews.Nothing nothing(Project project, String view) {
    ProjectWorker.State state = studio.worker(project).state();
    String reason =
        state.busy() ? texts.get("card.busy", cards.activity(state)) : texts.get("card.nothing");
    return new CardViews.Nothing(
        Layout.path(project), view, cards.state(project), reason, request());
  }

  private CardViews.Card card(Project project, List<Integer> items) {
    int item = items.get(0);
    Optional<QueuedPick> pick = studio.pick(project, item);
    return new CardViews.Card(
        Layout.path(project),
        item,
        cards.state(project),
        cards.shown(project, item, false),
        reason(project, item, pick),
        pick.map(found -> cards.near(project, found)).orElse(List.of()),
        cards.answers(project, predicted(pick)),
        items.stream()
            .skip(1)
            .map(later -> cards.shown(project, later, false))
            .filter(later -> !(later instanceof ItemView.Text)) // nothing to load in advance
            .toList(),
        request(),
        request());
  }

  private static Optional<Long> predicted(Optional<QueuedPick> pick) {
    return pick.filter(found -> found.predicted().isPresent())
        .map(found -> found.predicted().getAsLong());
  }

  private Reasons.Reason reason(Project project, int item, Optional<QueuedPick> pick) {
    if (pick.isPresent()) {
      return cards.reasons().of(pick.get(), studio.store().projects().classes(project.id()));
    }
    boolean heldOut = studio.store().projects().held(project.id()).contains(item);
    boolean selected = studio.store().rounds().last(project.id()).isPresent();
    String key = heldOut ? "card.heldOut" : selected ? "card.meanwhile" : "card.first";
    return new Reasons.Reason(texts.get(key), null);
  }

  private CardViews.Grid grid(Project project, List<Integer> items) {
    Map<Integer, QueuedPick> picks = studio.picks(project);
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    List<CardViews.Cell> cells = new ArrayList<>();
    for (int item : items) {
      Optional<Long> predicted = predicted(Optional.ofNullable(picks.get(item)));
      cells.add(
          new CardViews.Cell(
              item,
              predicted.map(String::valueOf).orElse(null),
              cards.shown(project, item, true),
              predicted
                  .map(id -> texts.get("card.guess", cards.className(classes, id)))
                  .orElseGet(() -> texts.get("item", item))));
    }
    return new CardViews.Grid(
        Layout.path(project),
        cards.state(project),
        cells,
        cards.answers(project, Optional.empty()),
        request(),
        request());
  }

  /** Returns an identifier for an answer: sent twice, it counts once. */
  private static String request() {
    return UUID.randomUUID().toString();
  }
}
