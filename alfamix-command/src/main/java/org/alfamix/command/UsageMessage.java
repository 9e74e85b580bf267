package org.alfamix.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alfamix.io.Suggestions;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Words picocli's messages about invalid arguments like those of alfamix: with the option first,
 * the value that was found and the expected one.
 */
final class UsageMessage {
  /** An option with the label of its value, as picocli lists it. */
  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z0-9-]*");

  private UsageMessage() {}

  /** Returns the message for an invalid argument. */
  static String of(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched);
    }
    String text = error.getMessage();
    if (error instanceof MutuallyExclusiveArgsException) {
      return join(options(text), "and") + " cannot be combined.";
    }
    if (error instanceof MissingParameterException missing) {
      return missing(missing);
    }
    ArgSpec argument = error.getArgSpec();
    String value = error.getValue();
    if (argument != null && value != null && text.startsWith("Invalid value for")) {
      return "%s is '%s', expected %s.".formatted(name(argument), value, expected(argument));
    }
    if (argument != null && argument.type() == Map.class && text.contains("should be in")) {
      return "%s is '%s', expected %s.".formatted(name(argument), value, argument.paramLabel());
    }
    return text;
  }

  private static String missing(MissingParameterException error) {
    String text = error.getMessage();
    if (text.contains("specify one of these")) {
      return "One of %s is required.".formatted(join(options(text), "and"));
    }
    if (text.startsWith("Missing required parameter for option")) {
      ArgSpec option = error.getMissing().get(0);
      return "%s requires a value (%s).".formatted(name(option), option.paramLabel());
    }
    if (error.getMissing().isEmpty()) {
      return text;
    }
    List<String> names = error.getMissing().stream().map(UsageMessage::name).distinct().toList();
    return join(names, "and") + (names.size() == 1 ? " is required." : " are required.");
  }

  private static String unmatched(UnmatchedArgumentException error) {
    String first = error.getUnmatched().get(0);
    CommandLine command = error.getCommandLine();
    boolean option = first.startsWith("-");
    if (!option && command.getSubcommands().isEmpty()) {
      return "Unexpected argument '%s'.".formatted(first);
    }
    Set<String> known =
        option ? command.getCommandSpec().optionsMap().keySet() : command.getSubcommands().keySet();
    return "Unknown %s '%s'%s"
        .formatted(
            option ? "option" : "command",
            first,
            Suggestions.nearest(first, known).map("; did you mean %s?"::formatted).orElse("."));
  }

  private static String expected(ArgSpec argument) {
    Class<?> type = argument.typeInfo().isMultiValue() ? element(argument) : argument.type();
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return "an integer";
    }
    if (type == double.class || type == float.class || type == Double.class) {
      return "a number";
    }
    if (type.isEnum()) {
      List<String> names =
          Arrays.stream(type.getEnumConstants())
              .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
              .toList();
      return join(names, "or");
    }
    return argument.paramLabel();
  }

  private static Class<?> element(ArgSpec argument) {
    List<CommandLine.Model.ITypeInfo> elements = argument.typeInfo().getAuxiliaryTypeInfos();
    return elements.get(elements.size() - 1).getType();
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static List<String> options(String text) {
    Matcher matcher = OPTION.matcher(text);
    return matcher.results().map(found -> found.group()).distinct().toList();
  }

  private static String join(List<String> names, String conjunction) {
    int last = names.size() - 1;
    return last < 1
        ? String.join("", names)
        : names.stream().limit(last).collect(Collectors.joining(", "))
            + " "
            + conjunction
            + " "
            + names.get(last);
  }
}
