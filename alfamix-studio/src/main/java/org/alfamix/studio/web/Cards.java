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
  private static final int MAX_EXCERPT_LENGTH = 240;

  /** Browsers are slow to lay out longer texts, and no person reads them. */
  private static final int MAX_SHOWN_LENGTH = 200_000;

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
      return small
          ? new ItemView.Text(excerpt(text.text()))
          : new ItemView.Text(
              beginning(text.text()),
              source.hasTexts() ? Layout.item(project, item) + "/highlights" : null);
    }
    if (shown instanceof DisplayedItem.Link link) {
      return isWeb(link.address())
          ? new ItemView.Link(link.address())
          : new ItemView.Text(link.address());
    }
    Map<String, String> values = ((DisplayedItem.Fields) shown).values();
    return small ? new ItemView.Text(excerpt(inOneLine(values))) : new ItemView.Fields(values);
  }

  /** Returns a text with the words that speak for its predicted class. */
  ItemView.Highlighted highlighted(Project project, int item) {
    ProjectWorker worker = studio.worker(project);
    String text =
        worker.source().show(item) instanceof DisplayedItem.Text shown ? shown.text() : "";
    List<LabelClass> classes = studio.store().projects().classes(project.id());
    Optional<ProjectWorker.Highlights> found =
        worker.highlights(text).filter(each -> each.predicted() < classes.size());
    List<ItemView.Highlighted.Part> parts = new ArrayList<>();
    int at = 0;
    for (int[] span : found.map(ProjectWorker.Highlights::spans).orElse(List.of())) {
      parts.add(new ItemView.Highlighted.Part(text.substring(at, span[0]), false));
      parts.add(new ItemView.Highlighted.Part(text.substring(span[0], span[1]), true));
      at = span[1];
    }
    parts.add(new ItemView.Highlighted.Part(beginning(text).substring(at), false));
    return new ItemView.Highlighted(
        parts, parts.size() == 1 ? null : classes.get(found.get().predicted()).name());
  }

  /** Returns whether an address may become a link; others, such as scripts, must not. */
  private static boolean isWeb(String address) {
    return address.startsWith("https://") || address.startsWith("http://");
  }

  /** Returns a text, or the beginning of a very long one with a note. */
  private String beginning(String text) {
    if (text.length() <= MAX_SHOWN_LENGTH) {
      return text;
    }
    boolean cutsCharacter = Character.isHighSurrogate(text.charAt(MAX_SHOWN_LENGTH - 1));
    int shown = cutsCharacter ? MAX_SHOWN_LENGTH - 1 : MAX_SHOWN_LENGTH;
    return text.substring(0, shown) + "\n\n" + texts.get("card.longText", text.length() - shown);
  }

  private static String excerpt(String text) {
    String line =
        text.substring(0, Math.min(text.length(), 20 * MAX_EXCERPT_LENGTH))
            .strip()
            .replaceAll("\\s+", " ");
    int length = line.codePointCount(0, line.length());
    return length <= MAX_EXCERPT_LENGTH
        ? line
        : line.substring(0, line.offsetByCodePoints(0, MAX_EXCERPT_LENGTH)) + " …";
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
