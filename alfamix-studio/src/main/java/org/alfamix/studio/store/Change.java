package org.alfamix.studio.store;

import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * One word of an annotator on an item. Changes are never overwritten.
 *
 * @param classId the class, where it was labelled or imported
 * @param undoes the change that it takes back, where it does
 */
public record Change(
    long id,
    int item,
    Action action,
    OptionalLong classId,
    String annotator,
    Instant at,
    OptionalLong undoes) {

  /** What can be said. */
  public enum Action {
    /** It is of this class. */
    LABEL,
    /** Nobody could tell. */
    UNCLEAR,
    /** Let somebody else, or me later. */
    SKIP,
    /** What was said does not hold any more. */
    CLEAR,
    /** The last word of this annotator is taken back. */
    UNDO,
    /** It came with a file. */
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
