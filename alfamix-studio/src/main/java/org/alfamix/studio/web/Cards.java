package org.alfamix.studio.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.engine.ProjectWorker;
import org.alfamix.studio.source.DisplayedItem;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.TrainingRound;

/** Creates views that several pages share: items, similar items, answers with keys, the state. */
final class Cards {
  private static final int THUMBNAIL = 320;
  private static final int MAX_EXCERPT_LENGTH = 160;

  private final Studio studio;
  private final Texts texts;

  Cards(Studio studio, Texts texts) {
    this.studio = studio;
    this.texts = texts;
  }

  /** Returns a view of an item, in full size or as a thumbnail. */
  ItemView shown(Project project, int item, boolean small) {
    ItemSource source = studio.worker(project).source();
    String description = texts.get("item", item);
    String address = Layout.content(project, item);
    if (source.isClip(item) && !small) {
      return new ItemView.Clip(address, address + "&side=" + 2 * THUMBNAIL, description);
    }
    if (source.isPicture(item) || source.isClip(item)) {
      return new ItemView.Picture(small ? address + "&side=" + THUMBNAIL : address, description);
    }
    DisplayedItem shown;
    try {
      shown = source.show(item);
    } catch (DataException e) {
      return new ItemView.Text(e.getMessage());
    }
    if (shown instanceof DisplayedItem.Text text) {
      return new ItemView.Text(small ? excerpt(text.text()) : text.text());
    }
    if (shown instanceof DisplayedItem.Link link) {
      return isWeb(link.address())
          ? new ItemView.Link(link.address())
          : new ItemView.Text(link.address());
    }
    Map<String, String> values = ((DisplayedItem.Fields) shown).values();
    return small ? new ItemView.Text(excerpt(inOneLine(values))) : new ItemView.Fields(values);
  }

  /** Returns whether an address may become a link; others, such as scripts, must not. */
  private static boolean isWeb(String address) {
    return address.startsWith("https://") || address.startsWith("http://");
  }

  private static String excerpt(String text) {
    return text.length() <= MAX_EXCERPT_LENGTH
        ? text
        : text.substring(0, MAX_EXCERPT_LENGTH) + " …";
  }

  private String inOneLine(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each -> texts.get("card.tableField", each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Returns labelled items that resemble a pick. */
  List<CardViews.Near> near(Project project, QueuedPick pick) {
    int[] items = JsonTree.parse("studio.db, similar items", pick.near()).integers();
    return Arrays.stream(items)
        .mapToObj(
            item ->
                new CardViews.Near(
                    Layout.item(project, item),
                    shown(project, item, true),
                    labelled(project, item).orElse(texts.get("card.unknownClass"))))
        .toList();
  }

  /** Returns the name of an item's label. */
  Optional<String> labelled(Project project, int item) {
    return studio
        .store()
        .ledger()
        .label(project.id(), item)
        .map(label -> name(studio.store().projects().classes(project.id()), label));
  }

  /** Returns the explanations of picks. */
  Reasons reasons() {
    return new Reasons(texts, this);
  }

  String name(List<LabelClass> classes, Label label) {
    return label.classId().isEmpty()
        ? texts.get("card.unclear")
        : className(classes, label.classId().getAsLong());
  }

  String className(List<LabelClass> classes, long id) {
    return classes.stream()
        .filter(each -> each.id() == id)
        .map(LabelClass::name)
        .findFirst()
        .orElse(texts.get("card.unknownClass"));
  }

  /**
   * Returns an answer with a key for every class.
   *
   * @param predicted the class that the model predicts, if any
   */
  List<CardViews.Answer> answers(Project project, Optional<Long> predicted) {
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    List<String> keys = Keys.of(classes);
    List<CardViews.Answer> answers = new ArrayList<>();
    for (int c = 0; c < classes.size(); c++) {
      LabelClass each = classes.get(c);
      answers.add(
          new CardViews.Answer(
              each.id(),
              keys.get(c).isEmpty() ? null : keys.get(c),
              each.name(),
              predicted.filter(id -> id == each.id()).isPresent()));
    }
    return answers;
  }

  /** Returns the progress of the batch, the accuracy of the model, and the background work. */
  StateView state(Project project) {
    ProjectWorker worker = studio.worker(project);
    ProjectWorker.State state = worker.state();
    return new StateView(
        studio.store().rounds().last(project.id()).map(round -> batch(project, round)).orElse(null),
        studio.store().ledger().countLabels(project.id()),
        state.busy() ? activity(state) : "",
        state.failure(),
        worker.unreadable());
  }

  /** Returns a description of the background work. */
  String activity(ProjectWorker.State state) {
    return texts.get("activity." + state.activity().key(), state.activity().values().toArray());
  }

  private StateView.Batch batch(Project project, TrainingRound last) {
    int all = studio.store().rounds().picks(project.id(), last.number()).size();
    int open = studio.store().rounds().openPicks(project.id(), last.number()).size();
    Interval right = last.tested() > 0 ? Interval.of(last.correct(), last.tested()) : null;
    return new StateView.Batch(
        last.number() + 1,
        all - open,
        all,
        last.tested(),
        right == null ? "" : percent(right.share()),
        right == null ? "" : percent(right.from()),
        right == null ? "" : percent(right.to()));
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f\u00a0%%", 100 * share);
  }

  static ProjectOptions options(Project project) {
    return ProjectOptions.parse(project.options());
  }
}
