package org.alfamix.data;

/** Input that cannot be used; the message names the file and what was expected. */
public final class DataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DataException(String message) {
    super(message);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
