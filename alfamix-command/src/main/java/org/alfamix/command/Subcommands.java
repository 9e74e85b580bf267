package org.alfamix.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.plugin.Plugins;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/**
 * Adds the subcommands of other modules to {@code alfamix}. Modules that are not on the class path
 * are listed as well, so that the help is always complete.
 */
public final class Subcommands {

  /**
   * A subcommand of alfamix's own modules.
   *
   * @param description the description of the command, in one line
   * @param module the module of the command
   */
  public record Known(String name, String description, String module) {}

  /** All subcommands, in the order of the help. */
  public static final List<Known> KNOWN =
      List.of(
          new Known(
              "studio",
              "Label in the browser, with a model that is trained on the labels and selects the"
                  + " items.",
              "alfamix-studio"),
          new Known(
              "spark",
              "Select items from tables that are too large for one machine, on Apache Spark.",
              "alfamix-spark"),
          new Known(
              "bench",
              "Measure speed and memory, and print the results as Markdown tables.",
              "alfamix-bench"));

  private Subcommands() {}

  /** Adds the subcommands that are on the class path, and a placeholder for every other one. */
  public static void addTo(CommandLine alfamix) {
    Map<String, Subcommand> found = new LinkedHashMap<>();
    record Command(String name, String source) {}
    List<Command> commands = new ArrayList<>();
    alfamix.getSubcommands().keySet().forEach(name -> commands.add(new Command(name, "alfamix")));
    for (Subcommand each : Plugins.load(Subcommand.class)) {
      commands.add(new Command(each.name(), each.getClass().getName()));
      found.put(each.name(), each);
    }
    Plugins.requireUniqueNames("commands", commands, Command::name, Command::source);
    for (Known known : KNOWN) {
      Subcommand subcommand = found.remove(known.name());
      if (subcommand == null) {
        alfamix.addSubcommand(known.name(), placeholder(known));
      } else {
        alfamix.addSubcommand(known.name(), subcommand.create());
      }
    }
    found.forEach((name, each) -> alfamix.addSubcommand(name, each.create()));
  }

  /** Returns a command that accepts any arguments and reports the missing module. */
  private static CommandSpec placeholder(Known known) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(new Placeholder(known));
    ((Placeholder) spec.userObject()).spec = spec;
    spec.name(known.name());
    spec.usageMessage().description(known.description());
    spec.addPositional(
        PositionalParamSpec.builder().arity("0..*").type(List.class).hidden(true).build());
    spec.parser().unmatchedOptionsArePositionalParams(true);
    return spec;
  }

  private static final class Placeholder implements Runnable {
    private final Known known;
    private CommandSpec spec;

    Placeholder(Known known) {
      this.known = known;
    }

    @Override
    public void run() {
      throw new ParameterException(
          spec.commandLine(),
          "'%s' requires the module %s, which is not on the class path."
              .formatted(known.name(), known.module()));
    }
  }
}
