package org.alfamix.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Input that cannot be used. The message names the source, the place in it, what was found and what
 * was expected.
 *
 * <p>Libraries name no options of a command line. Where a setting resolves the problem, {@link
 * #advise} says which one, and the command puts the name of its option in that place.
 */
public final class DataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String problem;
  private final Advice advice;

  /**
   * A way out.
   *
   * @param text what to do, such as {@code name the column with the class}
   * @param setting the setting to do it with, in camel case
   */
  public record Advice(String text, String setting) implements java.io.Serializable {}

  public DataException(String message) {
    this(message, null, null);
  }

  public DataException(String message, Throwable cause) {
    this(message, null, cause);
  }

  private DataException(String problem, Advice advice, Throwable cause) {
    super(message(problem, advice, ""), cause);
    this.problem = problem;
    this.advice = advice;
  }

  /**
   * Reports a value that is not as it should be.
   *
   * @param source the file or query
   * @param position the place in it, such as {@code line 12}; empty where the whole is meant
   */
  public static DataException unexpected(
      String source, String position, String expected, String found) {
    String place = position.isEmpty() ? source : source + ", " + position;
    return new DataException("%s: expected %s, found %s.".formatted(place, expected, found));
  }

  /** Returns the same problem with a way out: what to do, and the setting to do it with. */
  public DataException advise(String text, String setting) {
    DataException advised = new DataException(problem, new Advice(text, setting), getCause());
    advised.setStackTrace(getStackTrace());
    return advised;
  }

  public Optional<Advice> advice() {
    return Optional.ofNullable(advice);
  }

  /**
   * Returns the message with the name that the person has for the setting of the advice.
   *
   * @param name such as {@code --label-column}
   */
  public String message(String name) {
    return message(problem, advice, " with " + name);
  }

  private static String message(String problem, Advice advice, String means) {
    return advice == null
        ? problem
        : problem.replaceFirst("\\.$", "") + "; " + advice.text() + means + ".";
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
