package org.alfamix.error;

/**
 * Thrown for invalid numeric data: values that are not finite or out of range, or arrays whose
 * sizes do not match. The message names the array, the row and the column.
 */
public final class InvalidDataException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public InvalidDataException(String message) {
    super(message);
  }
}
