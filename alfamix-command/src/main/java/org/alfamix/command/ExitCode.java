package org.alfamix.command;

import java.io.UncheckedIOException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/** What the exit codes mean. */
public final class ExitCode {
  public static final int DONE = 0;
  public static final int INTERNAL = 1;
  public static final int USAGE = 2;
  public static final int BAD_DATA = 3;

  /** No memory, no disk space, no right to write. */
  public static final int RESOURCE = 4;

  private ExitCode() {}

  /** The exit code of a command that an exception or error ended. */
  public static int of(Throwable failure) {
    if (failure instanceof DataException) {
      return BAD_DATA;
    }
    if (failure instanceof InvalidRequestException) {
      return USAGE;
    }
    boolean resource =
        failure instanceof UncheckedIOException || failure instanceof OutOfMemoryError;
    return resource ? RESOURCE : INTERNAL;
  }
}
