package org.alfamix.cli;

import java.util.Locale;
import org.alfamix.command.CommandRunner;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Subcommands;
import org.alfamix.command.Version;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Kernels;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix}, which has a subcommand for each task. */
@Command(
    name = "alfamix",
    description = {
      "Active learning: select the unlabelled items that are most worth labelling.",
      ""
    },
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
      DoctorCommand.class,
      CompletionCommand.class,
      PrepareCommand.class,
      HelpCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix select --embeddings pool.npy --labels labels.csv --budget 100",
      "                                     select the next 100 items to label",
      "  alfamix example try                write a small example for 'select'",
      "  alfamix train --data letter --network mlp --labelled 2000",
      "                                     train a network for 'embed' and 'select'",
      "  alfamix demo                       compare four strategies in two minutes",
      "  alfamix lab run letter-mlp         run an experiment of the paper",
      "  alfamix studio new demo --data digits",
      "                                     create a project for 'studio serve'",
      "  alfamix spark select …             select from large tables",
      "  alfamix strategies                 list all strategies and their options",
      "  source <(alfamix completion)       enable completion in this shell (bash, zsh)",
      "  alfamix bench --help               measure speed (source tree only)"
    })
public final class Main implements Runnable {
  private static final long LAUNCHER_CHECK_MILLIS = 1000;

  /** The exit code of a killed process. */
  private static final int KILLED = 137;

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    // Programs read the output, so numbers have the same format on every machine.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    if (System.getProperty("alfamix.kernels") != null) {
      requireKernels();
    }
    if (args.length > 0 && args[0].equals("select")) {
      // Compiling the kernels takes longer than reading a small pool, so it starts first.
      KernelWarmUp.start();
    }
    endWithLauncher();
    CommandLine commandLine;
    try {
      commandLine = commandLine(args);
    } catch (InvalidRequestException e) {
      // A plug-in whose commands cannot be loaded.
      System.err.println("alfamix: " + e.getMessage());
      System.exit(ExitCode.USAGE);
      return;
    }
    System.exit(CommandRunner.run(commandLine, args));
  }

  /**
   * Ends this process soon after the launcher ends. A launcher that is killed (SIGKILL) cannot
   * forward the signal. The launcher is not necessarily the parent process, because {@code java}
   * may be a script that starts Java.
   */
  private static void endWithLauncher() {
    Long launcher = Long.getLong("alfamix.launcher");
    if (launcher == null) {
      return;
    }
    long parent = parent();
    Thread watch =
        new Thread(
            () -> {
              try {
                do {
                  Thread.sleep(LAUNCHER_CHECK_MILLIS);
                } while (parent() == parent && ProcessHandle.of(launcher).isPresent());
              } catch (InterruptedException e) {
                return;
              }
              Runtime.getRuntime().halt(KILLED);
            },
            "alfamix-launcher");
    watch.setDaemon(true);
    watch.start();
  }

  private static long parent() {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(-1L);
  }

  /** Fails early if the requested kernels are not available. */
  private static void requireKernels() {
    try {
      Kernels.description();
    } catch (ExceptionInInitializerError e) {
      System.err.println("alfamix: " + e.getCause().getMessage());
      System.exit(ExitCode.USAGE);
    }
  }

  /**
   * Returns the configured command line.
   *
   * @param args the arguments; commands of other modules are searched only if the arguments require
   *     them, because the search takes time
   */
  static CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(new Main());
    boolean isOwnCommand =
        args.length > 0
            && !args[0].equals("help")
            && !args[0].equals("completion")
            && commandLine.getSubcommands().containsKey(args[0]);
    if (!isOwnCommand) {
      Subcommands.addTo(commandLine);
    }
    return CommandRunner.configure(commandLine);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
