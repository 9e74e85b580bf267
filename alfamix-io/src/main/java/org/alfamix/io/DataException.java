package org.alfamix.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Input that cannot be used; the message names the file and what was expected. */
public final class DataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public DataException(String message) {
    super(message);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A file that cannot be read, for the reason the system gives. */
  public static DataException unreadable(Path file, IOException reason) {
    if (reason instanceof NoSuchFileException) {
      return new DataException(file + ": no such file.", reason);
    }
    if (reason instanceof CharacterCodingException) {
      return new DataException(file + ": expected text in UTF-8.", reason);
    }
    if (reason instanceof EOFException) {
      return new DataException(file + ": ends too soon.", reason);
    }
    String why = reason instanceof AccessDeniedException ? "access denied" : reason.getMessage();
    return new DataException(file + ": cannot be read: " + why + ".", reason);
  }
}
