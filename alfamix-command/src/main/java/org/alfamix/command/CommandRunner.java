package org.alfamix.command;

import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs commands and turns failures into one-line messages and exit codes. */
public final class CommandRunner {
  private static final String[] NO_ARGUMENTS = {};

  private CommandRunner() {}

  /**
   * Runs a command and returns its exit code. An out-of-memory error is reported in one line, like
   * other failures.
   */
  public static int run(CommandLine commandLine, String... args) {
    try {
      return requireWritten(commandLine, commandLine.execute(args));
    } catch (OutOfMemoryError e) {
      commandLine
          .getErr()
          .printf(
              "alfamix: out of memory (%d MB); set JAVA_OPTS=-Xmx8g to allow more.%n",
              Runtime.getRuntime().maxMemory() >> 20);
      return ExitCode.RESOURCE;
    } finally {
      commandLine.getErr().flush();
    }
  }

  /**
   * Fails if standard output could not be written, unless its reader, such as {@code head}, has
   * closed it.
   */
  private static int requireWritten(CommandLine commandLine, int code) {
    // A command that failed has reported it already.
    if (code != ExitCode.SUCCESS || !System.out.checkError()) {
      return code;
    }
    return StandardOutput.failure()
        .map(
            reason -> {
              commandLine.getErr().println("alfamix: " + reason);
              return ExitCode.RESOURCE;
            })
        .orElse(code);
  }

  /** Returns a command that parses options and reports failures as all commands do. */
  public static CommandLine configure(Object command) {
    return configure(new CommandLine(command));
  }

  /** Configures a command line to parse options and report failures as all commands do. */
  public static CommandLine configure(CommandLine commandLine) {
    return commandLine
        .setUsageHelpAutoWidth(true)
        .setExpandAtFiles(false)
        .setAbbreviatedOptionsAllowed(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(CommandRunner::execute)
        .setParameterExceptionHandler(CommandRunner::reportUsageError)
        .setExecutionExceptionHandler(CommandRunner::reportFailure);
  }

  /**
   * Rejects empty values, which usually come from unset variables; an empty path would mean the
   * current folder.
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

  /** Prints the error in one line, with suggestions and a reference to the help. */
  private static int reportUsageError(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    // Picocli's message for an empty argument does not name it.
    int empty = Arrays.asList(args).indexOf("");
    if (empty >= 0) {
      boolean isValue = empty > 0 && args[empty - 1].startsWith("-");
      String name = isValue ? args[empty - 1] : "An argument";
      err.println("alfamix: " + name + " is empty, expected a value.");
    } else {
      err.println("alfamix: " + oneLine(UsageMessage.of(error)));
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.USAGE;
  }

  /** Removes line breaks, which names of files and classes may contain. */
  private static String oneLine(String message) {
    return message.replaceAll("\\R", " ");
  }

  /** Prints a one-line message, and a stack trace with -Dalfamix.trace=true. */
  private static int reportFailure(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (Boolean.getBoolean("alfamix.trace")) {
      failure.printStackTrace(err);
    }
    if (failure instanceof InvalidRequestException request) {
      return reportUsageError(
          new ParameterException(command, OptionNames.of(command).message(request)), NO_ARGUMENTS);
    }
    if (failure instanceof DataException data) {
      err.println("alfamix: " + oneLine(OptionNames.of(command).message(data)));
      return ExitCode.of(failure);
    }
    if (failure instanceof InvalidDataException) {
      err.println("alfamix: " + oneLine(failure.getMessage()));
      return ExitCode.of(failure);
    }
    if (failure instanceof UncheckedIOException) {
      String text = failure.getMessage().replaceFirst("^java\\.io\\.IOException: ", "");
      err.println("alfamix: " + oneLine(text) + (text.endsWith(".") ? "" : "."));
      return ExitCode.of(failure);
    }
    // Native libraries append details of their build; the first line states the problem.
    String message = failure.toString().lines().findFirst().orElse("");
    err.println("alfamix: " + message + " (for a stack trace, set JAVA_OPTS=-Dalfamix.trace=true)");
    return ExitCode.of(failure);
  }
}
