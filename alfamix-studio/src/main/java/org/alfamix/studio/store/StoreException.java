package org.alfamix.studio.store;

/** A wish that cannot be granted, with a reason for those who had it. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What kind of a reason it is. */
  public enum Kind {
    NOT_FOUND,
    CONFLICT
  }

  private final Kind kind;

  public StoreException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
