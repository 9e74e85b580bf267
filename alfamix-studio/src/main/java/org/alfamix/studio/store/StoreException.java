package org.alfamix.studio.store;

/** A request that cannot be fulfilled, with a reason for the user. */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kind of reason. */
  public enum Kind {
    NOT_FOUND,
    CONFLICT,

    /** Files that the project refers to are missing or have changed. */
    UNREADABLE
  }

  private final Kind kind;

  public StoreException(Kind kind, String message) {
    this(kind, message, null);
  }

  private StoreException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Reports that files of a project cannot be read. */
  public static StoreException unreadable(RuntimeException reason) {
    return new StoreException(Kind.UNREADABLE, reason.getMessage(), reason);
  }

  public Kind kind() {
    return kind;
  }
}
