package org.alfamix.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Thrown for invalid input data. The message names the source, the position in it, and the expected
 * and the actual content.
 *
 * <p>Libraries do not know the options of a command line. If a setting solves the problem, {@link
 * #advise} names it, and the command replaces it with the name of its option.
 */
public final class DataException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String problem;
  private final Advice advice;

  /**
   * A suggested solution.
   *
   * @param text the instruction, such as {@code name the column with the class}
   * @param setting the setting that it requires, in camel case
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
   * Creates an exception for an unexpected value.
   *
   * @param source the file or query
   * @param position the position in it, such as {@code line 12}; empty for the whole source
   */
  public static DataException unexpected(
      String source, String position, String expected, String found) {
    String place = position.isEmpty() ? source : source + ", " + position;
    return new DataException("%s: expected %s, found %s.".formatted(place, expected, found));
  }

  /** Returns the same problem with advice: an instruction and the setting that it requires. */
  public DataException advise(String text, String setting) {
    DataException advised = new DataException(problem, new Advice(text, setting), getCause());
    advised.setStackTrace(getStackTrace());
    return advised;
  }

  /** Returns the same problem, preceded by the source that it was found in. */
  public DataException within(String source) {
    DataException placed = new DataException(source + ": " + problem, advice, this);
    placed.setStackTrace(getStackTrace());
    return placed;
  }

  public Optional<Advice> advice() {
    return Optional.ofNullable(advice);
  }

  /**
   * Returns the message with the name under which the user knows the setting of the advice.
   *
   * @param name the name, such as {@code --label-column}
   */
  public String message(String name) {
    return message(problem, advice, " with " + name);
  }

  private static String message(String problem, Advice advice, String means) {
    return advice == null
        ? problem
        : problem.replaceFirst("\\.$", "") + "; " + advice.text() + means + ".";
  }

  /** Creates an exception for a file that cannot be read, with the reason given by the system. */
  public static DataException unreadable(Path file, IOException reason) {
    if (reason instanceof NoSuchFileException) {
      return new DataException(file + ": no such file.", reason);
    }
    if (reason instanceof CharacterCodingException) {
      return new DataException(file + ": expected text in UTF-8.", reason);
    }
    if (reason instanceof EOFException) {
      return new DataException(file + ": unexpected end of file.", reason);
    }
    String why = reason instanceof AccessDeniedException ? "access denied" : reason.getMessage();
    return new DataException(file + ": cannot be read: " + why + ".", reason);
  }
}
