package org.alfamix.command;

import java.io.UncheckedIOException;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/** Exit codes. */
public final class ExitCode {
  public static final int SUCCESS = 0;
  public static final int INTERNAL = 1;
  public static final int USAGE = 2;
  public static final int INVALID_DATA = 3;

  /** Out of memory or disk space, or no permission. */
  public static final int RESOURCE = 4;

  private ExitCode() {}

  /** Returns the exit code of a command that ended with an exception or error. */
  public static int of(Throwable failure) {
    if (failure instanceof DataException || failure instanceof InvalidDataException) {
      return INVALID_DATA;
    }
    if (failure instanceof InvalidRequestException) {
      return USAGE;
    }
    boolean resource =
        failure instanceof UncheckedIOException || failure instanceof OutOfMemoryError;
    return resource ? RESOURCE : INTERNAL;
  }
}
