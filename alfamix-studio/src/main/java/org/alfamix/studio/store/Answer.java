package org.alfamix.studio.store;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.alfamix.error.InvalidRequestException;

/**
 * An annotator's answer for an item, as sent in a request.
 *
 * @param again whether an existing label may be replaced; otherwise the first answer counts
 * @param request identifier of the request: a request that is repeated under the same identifier
 *     counts once
 */
public record Answer(
    int item,
    Change.Action action,
    OptionalLong classId,
    boolean again,
    String annotator,
    String request) {
  private static final Pattern REQUEST = Pattern.compile("[\\w.:-]{1,100}");
  private static final int MAX_LENGTH = 80;

  public Answer {
    requireRequest(request);
    requireAnnotator(annotator);
    boolean needsClass = action == Change.Action.LABEL || action == Change.Action.IMPORT;
    if (needsClass != classId.isPresent()) {
      throw new InvalidRequestException(
          needsClass
              ? "The action '%s' requires a class.".formatted(action)
              : "The action '%s' does not take a class.".formatted(action));
    }
    if (action == Change.Action.UNDO) {
      throw new InvalidRequestException("Undo is a separate request.");
    }
  }

  /** Validates the identifier of a request. */
  static void requireRequest(String request) {
    if (!REQUEST.matcher(request).matches()) {
      throw new InvalidRequestException(
          "request", "is '%s', expected 1 to 100 letters, digits and '_.:-'.".formatted(request));
    }
  }

  /** Validates the name of an annotator. */
  public static void requireAnnotator(String annotator) {
    boolean printable = annotator.codePoints().noneMatch(Character::isISOControl);
    if (annotator.isBlank() || annotator.length() > MAX_LENGTH || !printable) {
      throw new InvalidRequestException(
          "annotator", "is '%s', expected 1 to %d characters.".formatted(annotator, MAX_LENGTH));
    }
  }

  public static Answer label(int item, long classId, String annotator, String request) {
    return new Answer(
        item, Change.Action.LABEL, OptionalLong.of(classId), false, annotator, request);
  }

  public static Answer of(int item, Change.Action action, String annotator, String request) {
    return new Answer(item, action, OptionalLong.empty(), false, annotator, request);
  }
}
