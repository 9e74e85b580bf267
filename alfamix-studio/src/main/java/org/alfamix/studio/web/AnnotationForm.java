package org.alfamix.studio.web;

import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.Change;

/** Answers of annotators, as pages and programs send them. */
final class AnnotationForm {
  private static final int MAX_AT_ONCE = 500;

  private AnnotationForm() {}

  /** Reads a form: {@code item} once or several times, {@code class} or {@code action}. */
  static List<Answer> of(Context context) {
    String chosen = context.formParam("class");
    return of(
        context.formParams("item").stream().map(AnnotationForm::number).toList(),
        context.formParam("action"),
        chosen == null ? OptionalLong.empty() : OptionalLong.of(number(chosen)),
        context.formParam("again") != null,
        Layout.annotator(context),
        context.formParam("request"));
  }

  /** Reads JSON: {@code item} or {@code items}, {@code class} or {@code action}. */
  static List<Answer> of(JsonTree body) {
    List<Integer> items = new ArrayList<>();
    if (body.has("items")) {
      for (int item : body.get("items").integers()) {
        items.add(item);
      }
    } else {
      items.add(body.get("item").integer());
    }
    return of(
        items,
        body.has("action") ? body.get("action").text() : null,
        body.has("class") ? OptionalLong.of(body.get("class").integer()) : OptionalLong.empty(),
        body.has("again") && body.get("again").flag(),
        body.get("annotator").text(),
        body.get("request").text());
  }

  private static List<Answer> of(
      List<Integer> items,
      String action,
      OptionalLong classId,
      boolean again,
      String annotator,
      String request) {
    if (items.isEmpty() || items.size() > MAX_AT_ONCE) {
      throw new InvalidRequestException(
          "Found %d items, expected 1 to %d.".formatted(items.size(), MAX_AT_ONCE));
    }
    if (request == null) {
      throw new InvalidRequestException("'request' is missing.");
    }
    List<Answer> answers = new ArrayList<>();
    for (int item : items) {
      answers.add(new Answer(item, action(action), classId, again, annotator, request));
    }
    return answers;
  }

  private static Change.Action action(String name) {
    if (name == null) {
      return Change.Action.LABEL;
    }
    for (Change.Action each :
        List.of(
            Change.Action.LABEL, Change.Action.UNCLEAR, Change.Action.SKIP, Change.Action.CLEAR)) {
      if (each.toString().equals(name.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new InvalidRequestException(
        "action", "is '%s', expected label, unclear, skip or clear.".formatted(name));
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new InvalidRequestException("'%s' is not a number.".formatted(text), e);
    }
  }
}
