package org.alfamix.command;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Replaces parameters in the messages of libraries by the options of a command: {@code perClassCap}
 * becomes {@code --per-class-cap}.
 *
 * @param command the command that was called
 */
public record OptionNames(CommandSpec command) {
  /** Parameters whose option has a different name. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "classNames", "--classes", "idCol", "--id-column", "embeddingCol", "--embedding-column");

  static OptionNames of(CommandLine command) {
    return new OptionNames(command.getCommandSpec());
  }

  /** Returns the message of a failure with the options of this command. */
  public String message(Throwable failure) {
    if (failure instanceof InvalidRequestException request) {
      return message(request);
    }
    if (failure instanceof DataException data) {
      return message(data);
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  String message(InvalidRequestException request) {
    return request
        .parameter()
        .flatMap(this::option)
        .map(request::message)
        .orElse(request.getMessage());
  }

  String message(DataException data) {
    return data.advice()
        .flatMap(advice -> option(advice.setting()))
        .map(data::message)
        .orElse(data.getMessage());
  }

  /** Returns the option for a parameter; empty if this command has none. */
  Optional<String> option(String parameter) {
    String usual = "--" + parameter.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    String name = OTHERS.getOrDefault(parameter, usual);
    // A command may take several values of a parameter: strategies, methods.
    return Stream.of(name, name.replaceFirst("y$", "ies"), name + "s")
        .filter(each -> command.findOption(each) != null)
        .findFirst();
  }
}
