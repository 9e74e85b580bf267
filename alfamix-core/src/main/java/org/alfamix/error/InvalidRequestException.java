package org.alfamix.error;

import java.util.Optional;

/**
 * Thrown for an invalid request that the user can correct: a value out of range, an unknown name,
 * or an invalid combination.
 *
 * <p>Libraries use the parameter name of their API ({@code perClassCap}). A command line replaces
 * it by the name of its option, a web page by the name of its field.
 */
public final class InvalidRequestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String parameter;
  private final String problem;

  /** Reports a problem that does not concern a single parameter, as a complete sentence. */
  public InvalidRequestException(String sentence) {
    this(sentence, (Throwable) null);
  }

  /** Reports a problem that does not concern a single parameter, as a complete sentence. */
  public InvalidRequestException(String sentence, Throwable cause) {
    super(sentence, cause);
    this.parameter = null;
    this.problem = sentence;
  }

  /**
   * Reports a problem of one parameter.
   *
   * @param parameter its name in the API, in camel case
   * @param problem the rest of the sentence, such as {@code must be at least 1, got 0.}
   */
  public InvalidRequestException(String parameter, String problem) {
    this(parameter, problem, null);
  }

  /** Reports a problem of one parameter that caused another exception. */
  public InvalidRequestException(String parameter, String problem, Throwable cause) {
    super(parameter + " " + problem, cause);
    this.parameter = parameter;
    this.problem = problem;
  }

  /**
   * Validates a parameter.
   *
   * @param valid whether its value is valid
   * @param parameter its name in the API, in camel case
   * @param expectation the condition, such as {@code must be at least 1}
   * @param found the value, for the message
   * @throws InvalidRequestException unless the value is valid
   */
  public static void require(boolean valid, String parameter, String expectation, Object found) {
    if (!valid) {
      throw new InvalidRequestException(parameter, expectation + ", got " + found + ".");
    }
  }

  /** Returns the name of the parameter; empty if the problem does not concern a single one. */
  public Optional<String> parameter() {
    return Optional.ofNullable(parameter);
  }

  /**
   * Returns the message with another name for the parameter.
   *
   * @param name name of the parameter in the user interface, such as {@code --per-class-cap}
   */
  public String message(String name) {
    return parameter == null ? problem : name + " " + problem;
  }
}
