package org.alfamix.error;

import java.util.Optional;

/**
 * A request that cannot be met: a value out of range, an unknown name, or a combination that makes
 * no sense. The person who made the request can correct it.
 *
 * <p>Libraries name the parameter as their API does ({@code perClassCap}). A command line puts the
 * name of its option in that place, a web page that of its field.
 */
public final class InvalidRequestException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final String parameter;
  private final String problem;

  /** Reports a problem that is not about one parameter, as a whole sentence. */
  public InvalidRequestException(String sentence) {
    this(sentence, (Throwable) null);
  }

  /** Reports a problem that is not about one parameter, as a whole sentence. */
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

  /** Reports a problem of one parameter that another exception has found. */
  public InvalidRequestException(String parameter, String problem, Throwable cause) {
    super(parameter + " " + problem, cause);
    this.parameter = parameter;
    this.problem = problem;
  }

  /** Returns the name of the parameter; empty where the problem is not about a single one. */
  public Optional<String> parameter() {
    return Optional.ofNullable(parameter);
  }

  /**
   * Returns the message with another name for the parameter.
   *
   * @param name what the person calls the parameter, such as {@code --per-class-cap}
   */
  public String message(String name) {
    return parameter == null ? problem : name + " " + problem;
  }
}
