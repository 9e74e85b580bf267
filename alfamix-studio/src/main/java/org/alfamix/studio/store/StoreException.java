package org.alfamix.studio.store;

/** A request that cannot be fulfilled, with a reason for the user. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kind of reason. */
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
