package org.alfamix.studio.store;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.alfamix.error.InvalidRequestException;

/**
 * What an annotator wants to say of an item.
 *
 * @param again whether the item may have a label already; else only the first one to speak counts
 * @param request a name for this very wish: who is not sure whether it arrived says it again under
 *     the same name, and it counts once
 */
public record Word(
    int item,
    Change.Action action,
    OptionalLong classId,
    boolean again,
    String annotator,
    String request) {
  private static final Pattern REQUEST = Pattern.compile("[\\w.:-]{1,100}");
  private static final int LONGEST = 80;

  public Word {
    requireRequest(request);
    requireAnnotator(annotator);
    boolean needsClass = action == Change.Action.LABEL || action == Change.Action.IMPORT;
    if (needsClass != classId.isPresent()) {
      throw new InvalidRequestException(
          needsClass ? "A class is missing." : "'%s' has no class.".formatted(action));
    }
    if (action == Change.Action.UNDO) {
      throw new InvalidRequestException("To undo is a request of its own.");
    }
  }

  /** Fails where a request cannot be called so. */
  static void requireRequest(String request) {
    if (!REQUEST.matcher(request).matches()) {
      throw new InvalidRequestException(
          "request", "is '%s', expected 1 to 100 letters, digits and '_.:-'.".formatted(request));
    }
  }

  /** Fails where an annotator cannot be called so. */
  public static void requireAnnotator(String annotator) {
    boolean printable = annotator.codePoints().noneMatch(Character::isISOControl);
    if (annotator.isBlank() || annotator.length() > LONGEST || !printable) {
      throw new InvalidRequestException(
          "annotator", "is '%s', expected 1 to %d characters.".formatted(annotator, LONGEST));
    }
  }

  public static Word label(int item, long classId, String annotator, String request) {
    return new Word(item, Change.Action.LABEL, OptionalLong.of(classId), false, annotator, request);
  }

  public static Word of(int item, Change.Action action, String annotator, String request) {
    return new Word(item, action, OptionalLong.empty(), false, annotator, request);
  }
}
