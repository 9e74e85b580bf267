package org.alfamix.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.cli.Main;
import org.alfamix.command.CommandRunner;
import org.alfamix.command.Subcommands;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The reference of all commands and options, as Markdown, from picocli's model of them. */
final class CommandReference {
  private static final String HEADER =
      """
      # Commands and options

      <!-- Generated from the code by GeneratedPagesTest: do not edit. -->

      `alfamix` stands for `./alfamix` in the source tree and for `bin/alfamix` of the zip. Every command has the options
      `-h`, `--help` and `-V`, `--version`. [Exit codes](exit-codes.md) are the same for all commands.

      """;

  private CommandReference() {}

  /** Returns the command line with the commands of all modules. */
  static CommandLine commandLine() {
    CommandLine alfamix = new CommandLine(new Main());
    Subcommands.addTo(alfamix);
    CommandRunner.configure(alfamix);
    return alfamix;
  }

  /** Returns the page. */
  static String markdown() {
    CommandLine alfamix = commandLine();
    StringBuilder text = new StringBuilder(HEADER);
    List<CommandLine> all = new ArrayList<>();
    collect(alfamix, all);
    text.append("| command | purpose |\n|---|---|\n");
    for (CommandLine each : all) {
      String name = each.getCommandSpec().qualifiedName();
      text.append("| [`%s`](#%s) | %s |\n".formatted(name, anchor(name), summary(each)));
    }
    all.forEach(each -> append(each, text));
    return text.toString();
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    for (CommandLine each : command.getSubcommands().values().stream().distinct().toList()) {
      CommandSpec spec = each.getCommandSpec();
      if (spec.usageMessage().hidden() || spec.name().equals("help")) {
        continue;
      }
      all.add(each);
      collect(each, all);
    }
  }

  private static String anchor(String name) {
    return name.replace(' ', '-');
  }

  private static String summary(CommandLine command) {
    String[] description = command.getCommandSpec().usageMessage().description();
    return description.length == 0 ? "" : cell(String.format(description[0]));
  }

  private static void append(CommandLine command, StringBuilder text) {
    CommandSpec spec = command.getCommandSpec();
    text.append("\n## ").append(spec.qualifiedName()).append("\n\n");
    for (String line : spec.usageMessage().description()) {
      if (!line.isBlank()) {
        text.append(wrap(String.format(line).strip())).append("\n\n");
      }
    }
    Help help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
    text.append("```\n")
        .append(help.synopsis(0).strip().replaceAll("\\s*\\R\\s*", "\n    "))
        .append("\n```\n");
    appendParameters(spec, text);
    appendOptions(spec, text);
    appendExamples(spec, text);
  }

  private static void appendParameters(CommandSpec spec, StringBuilder text) {
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (parameters.isEmpty()) {
      return;
    }
    text.append("\n| parameter | description |\n|---|---|\n");
    for (PositionalParamSpec each : parameters) {
      text.append(
          "| `%s` | %s |\n"
              .formatted(each.paramLabel(), cell(description(each.description(), each))));
    }
  }

  private static void appendOptions(CommandSpec spec, StringBuilder text) {
    List<OptionSpec> options =
        spec.options().stream()
            .filter(each -> !each.hidden() && !each.usageHelp() && !each.versionHelp())
            .sorted((a, b) -> a.longestName().compareToIgnoreCase(b.longestName()))
            .toList();
    if (options.isEmpty()) {
      return;
    }
    text.append("\n| option | description |\n|---|---|\n");
    for (OptionSpec each : options) {
      String names =
          Arrays.stream(each.names())
              .map(name -> "`" + name + "`")
              .collect(Collectors.joining(", "));
      String value = each.arity().max() == 0 ? "" : " `" + each.paramLabel() + "`";
      String required = each.required() ? required(each) : "";
      text.append(
          "| %s%s | %s%s |\n"
              .formatted(names, value, cell(description(each.description(), each)), required));
    }
  }

  /** In a group of alternatives, picocli marks each of them as required. */
  private static String required(OptionSpec option) {
    if (option.group() == null || !option.group().exclusive()) {
      return " Required.";
    }
    if (option.group().multiplicity().min() == 0) {
      return "";
    }
    return option.group().allOptionsNested().stream()
        .map(each -> "`" + each.longestName() + "`")
        .collect(Collectors.joining(", ", " One of ", " is required."));
  }

  private static String description(String[] lines, CommandLine.Model.ArgSpec argument) {
    String text = String.join(" ", lines);
    String fallback =
        argument.defaultValueString() == null ? "none" : argument.defaultValueString();
    text = text.replace("${DEFAULT-VALUE}", fallback);
    if (text.contains("${COMPLETION-CANDIDATES}")) {
      List<String> candidates = new ArrayList<>();
      if (argument.completionCandidates() != null) {
        argument.completionCandidates().forEach(candidates::add);
      }
      text = text.replace("${COMPLETION-CANDIDATES}", String.join(", ", candidates));
    }
    return String.format(Locale.ROOT, text) + defaultValue(text, argument);
  }

  /**
   * Returns the default as the help shows it, unless the description states it or it is computed.
   */
  private static String defaultValue(String description, CommandLine.Model.ArgSpec argument) {
    String value = argument.defaultValue();
    boolean shown = value != null && argument.command().usageMessage().showDefaultValues();
    if (!shown || value.contains("${") || description.matches(".*(default:|the default\\)).*")) {
      return "";
    }
    return " Default: " + value + ".";
  }

  private static void appendExamples(CommandSpec spec, StringBuilder text) {
    String footer =
        Arrays.stream(spec.usageMessage().footer())
            .map(line -> String.format(line).stripTrailing())
            .collect(Collectors.joining("\n"))
            .strip();
    if (!footer.isEmpty()) {
      text.append("\n```\n").append(footer).append("\n```\n");
    }
  }

  /** Escapes the characters that end a cell of a table or begin an HTML element. */
  private static String cell(String text) {
    return text.replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;").strip();
  }

  /** Breaks a paragraph into lines of at most 120 characters. */
  static String wrap(String text) {
    StringBuilder wrapped = new StringBuilder();
    int column = 0;
    for (String word : text.strip().replace("<", "&lt;").split("\\s+")) {
      if (column > 0 && column + 1 + word.length() > 120) {
        wrapped.append('\n');
        column = 0;
      } else if (column > 0) {
        wrapped.append(' ');
        column++;
      }
      wrapped.append(word);
      column += word.length();
    }
    return wrapped.toString();
  }
}
