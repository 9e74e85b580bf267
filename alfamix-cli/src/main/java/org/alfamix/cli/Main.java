package org.alfamix.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import org.alfamix.io.DataException;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Kernels;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code alfamix}; what it can do is in its subcommands. */
@Command(
    name = "alfamix",
    description = {"Decides which unlabelled items are worth a person's time to label.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      SelectCommand.class,
      TrainCommand.class,
      EmbedCommand.class,
      NetworksCommand.class,
      DataCommand.class,
      LabCommand.class,
      ExampleCommand.class,
      DemoCommand.class,
      StrategiesCommand.class,
      PrepareCommand.class,
      HelpCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix select --embeddings pool.npy --labels labels.csv --budget 100",
      "                                     the next 100 items to label",
      "  alfamix example try                write a small pool to try that on",
      "  alfamix train --data letter --network mlp --labelled 2000",
      "                                     train a network, for 'alfamix embed' and 'select'",
      "  alfamix demo                       compare four methods on printed letters",
      "  alfamix lab run letter-mlp         one of the paper's experiments; 'alfamix lab report'"
          + " shows it",
      "  alfamix studio new demo --data digits",
      "                                     label in the browser: then 'alfamix studio serve'",
      "  alfamix spark select …             the same from tables that outgrow a machine",
      "  alfamix strategies                 every method, what it needs, where it was published",
      "  source <(alfamix completion)       completion for this shell (bash, zsh)",
      "  alfamix bench --help               measure speed (in the source tree)"
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    // Numbers are written alike everywhere: others read them.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    if (System.getProperty("alfamix.kernels") != null) {
      requireKernels();
    }
    if (args.length > 0 && args[0].equals("select")) {
      // Compiling the kernels takes longer than parsing options and reading a small pool.
      KernelWarmUp.begin();
    }
    System.exit(run(commandLine(), args));
  }

  /** A wish for kernels that cannot be had is refused before anything else is done. */
  private static void requireKernels() {
    try {
      Kernels.description();
    } catch (ExceptionInInitializerError e) {
      System.err.println("alfamix: " + e.getCause().getMessage());
      System.exit(ExitCode.USAGE);
    }
  }

  /** Runs a command; what no command can mend ends in one line, too. */
  public static int run(CommandLine commandLine, String... args) {
    try {
      return requireWritten(commandLine, commandLine.execute(args));
    } catch (OutOfMemoryError e) {
      commandLine
          .getErr()
          .printf(
              "alfamix: out of memory; %d MB were allowed, JAVA_OPTS=-Xmx8g allows more.%n",
              Runtime.getRuntime().maxMemory() >> 20);
      return ExitCode.RESOURCE;
    } finally {
      commandLine.getErr().flush();
    }
  }

  /** Who writes tables to a full disk is told; who has read enough, as {@code head}, is not. */
  private static int requireWritten(CommandLine commandLine, int code) {
    // A command that failed has reported it already.
    if (code != ExitCode.DONE || !System.out.checkError()) {
      return code;
    }
    try {
      // The stream keeps to itself what went wrong; once more, past it.
      new FileOutputStream(FileDescriptor.out).write('\n');
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("Broken pipe")) {
        commandLine
            .getErr()
            .println("alfamix: standard output cannot be written: " + e.getMessage() + ".");
        return ExitCode.RESOURCE;
      }
    }
    return code;
  }

  /** The command line with everything set, as the tests use it, too. */
  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    commandLine.addSubcommand(
        "completion", CommandSpec.forAnnotatedObject(new AutoComplete.GenerateCompletion()));
    return withManners(commandLine);
  }

  /**
   * A command of another module, which says what is wrong as all commands do: in one line, with the
   * same exit codes.
   */
  public static CommandLine withManners(Object command) {
    return withManners(new CommandLine(command));
  }

  private static CommandLine withManners(CommandLine commandLine) {
    return commandLine
        .setUsageHelpAutoWidth(true)
        .setExpandAtFiles(false)
        .setAbbreviatedOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Main::execute)
        .setParameterExceptionHandler(Main::explainUsage)
        .setExecutionExceptionHandler(Main::explainFailure);
  }

  /**
   * Rejects empty values. They mostly come from variables that are not set, and an empty path would
   * stand for the current folder.
   */
  private static int execute(ParseResult parsed) {
    for (ParseResult part = parsed; part != null; part = part.subcommand()) {
      for (ArgSpec argument : part.matchedArgs()) {
        if (argument.arity().max() > 0 && argument.originalStringValues().contains("")) {
          String name =
              argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
          throw new ParameterException(
              part.commandSpec().commandLine(), name + " is empty, expected a value.");
        }
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: a command is missing.");
  }

  /** One line with the mistake, suggestions where there are any, and where to read on. */
  private static int explainUsage(ParameterException mistake, String[] args) {
    CommandLine command = mistake.getCommandLine();
    PrintWriter err = command.getErr();
    // Picocli's own message for an empty argument does not name it.
    int empty = Arrays.asList(args).indexOf("");
    if (empty >= 0) {
      boolean value = empty > 0 && args[empty - 1].startsWith("-");
      String what = value ? args[empty - 1] : "An argument";
      err.println("alfamix: " + what + " is empty, expected a value.");
    } else {
      err.println("alfamix: " + oneLine(mistake.getMessage()));
      UnmatchedArgumentException.printSuggestions(mistake, err);
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  /** What files and classes are called may have line breaks in it. */
  private static String oneLine(String message) {
    return message.replaceAll("\\R", " ");
  }

  /** A one-line message instead of a stack trace; the trace with -Dalfamix.trace=true. */
  private static int explainFailure(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (Boolean.getBoolean("alfamix.trace")) {
      failure.printStackTrace(err);
    }
    if (failure instanceof DataException) {
      err.println("alfamix: " + oneLine(failure.getMessage()));
      return ExitCode.of(failure);
    }
    if (failure instanceof UncheckedIOException) {
      String text = failure.getMessage().replaceFirst("^java\\.io\\.IOException: ", "");
      err.println("alfamix: " + oneLine(text) + (text.endsWith(".") ? "" : "."));
      return ExitCode.of(failure);
    }
    // Native libraries tell where they were built over many lines; the first says what happened.
    String what = failure.toString().lines().findFirst().orElse("");
    err.println("alfamix: " + what + " (run again with JAVA_OPTS=-Dalfamix.trace=true)");
    return ExitCode.of(failure);
  }
}
