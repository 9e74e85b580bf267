package org.alfamix.error;

/**
 * Numbers that cannot be computed with: not finite, out of range, or of sizes that do not match.
 * The message names the array, the row and the column.
 */
public final class InvalidDataException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public InvalidDataException(String message) {
    super(message);
  }
}
