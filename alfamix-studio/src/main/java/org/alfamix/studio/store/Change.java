package org.alfamix.studio.store;

import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A change of an item's label. Changes are never overwritten.
 *
 * @param classId the class, if it was labelled or imported
 * @param undoes the change that it undoes, if any
 */
public record Change(
    long id,
    int item,
    Action action,
    OptionalLong classId,
    String annotator,
    Instant at,
    OptionalLong undoes) {

  /** A kind of change. */
  public enum Action {
    /** The item belongs to a class. */
    LABEL,
    /** The class cannot be determined. */
    UNCLEAR,
    /** The item is left for later or for another annotator. */
    SKIP,
    /** The label is removed. */
    CLEAR,
    /** The last change of this annotator is undone. */
    UNDO,
    /** The label was imported from a file. */
    IMPORT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Action of(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }
}
