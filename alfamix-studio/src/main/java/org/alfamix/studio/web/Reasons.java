package org.alfamix.studio.web;

import java.util.List;
import java.util.Optional;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.QueuedPick;

/** Explains picks to annotators. */
final class Reasons {
  private final Texts texts;
  private final Cards cards;

  Reasons(Texts texts, Cards cards) {
    this.texts = texts;
    this.cards = cards;
  }

  /**
   * A reason in plain words.
   *
   * @param details the same in the terms of the query strategy, shown on request; null for none
   */
  record Reason(String summary, String details) {}

  Reason of(QueuedPick pick, List<LabelClass> classes) {
    return pick.cause()
        .map(cause -> new Reason(summary(cause, pick, classes), pick.reason()))
        // A strategy of another author, or a pick of an earlier version.
        .orElseGet(() -> new Reason(texts.get("reason.other", pick.reason()), null));
  }

  private String summary(QueuedPick.Cause cause, QueuedPick pick, List<LabelClass> classes) {
    return switch (cause) {
      case UNSURE ->
          Optional.of(pick)
              .filter(each -> each.predicted().isPresent() && each.alternative().isPresent())
              .map(
                  each ->
                      texts.get(
                          "reason.unsure",
                          cards.className(classes, each.predicted().getAsLong()),
                          cards.className(classes, each.alternative().getAsLong())))
              .orElseGet(() -> texts.get("reason.unsureOfAll"));
      case DIFFERENT -> texts.get("reason.different");
      case TYPICAL -> texts.get("reason.typical");
      case RANDOM -> texts.get("reason.random");
    };
  }
}
