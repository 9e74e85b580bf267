package org.alfamix.cli;

import java.util.Locale;
import org.alfamix.command.CommandRunner;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Subcommands;
import org.alfamix.command.Version;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Kernels;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
  private static final long LAUNCHER_CHECK_MILLIS = 1000;

  /** The exit code of a process that was killed. */
  private static final int KILLED = 137;

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
    endWithLauncher();
    System.exit(CommandRunner.run(commandLine(args), args));
  }

  /**
   * Ends this process soon after the launcher, which waits for it: killed the hard way, the
   * launcher cannot pass the signal on.
   */
  private static void endWithLauncher() {
    Long launcher = Long.getLong("alfamix.launcher");
    if (launcher == null) {
      return;
    }
    Thread watch =
        new Thread(
            () -> {
              try {
                do {
                  Thread.sleep(LAUNCHER_CHECK_MILLIS);
                } while (ProcessHandle.current()
                    .parent()
                    .filter(parent -> parent.pid() == launcher)
                    .isPresent());
              } catch (InterruptedException e) {
                return;
              }
              Runtime.getRuntime().halt(KILLED);
            },
            "alfamix-launcher");
    watch.setDaemon(true);
    watch.start();
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

  /**
   * Returns the command line with everything set.
   *
   * @param args what was typed: looking for the commands of other modules takes time, and those
   *     that are here need not wait for it
   */
  static CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(new Main());
    boolean own =
        args.length > 0
            && !args[0].equals("help")
            && commandLine.getSubcommands().containsKey(args[0]);
    if (!own) {
      Subcommands.addTo(commandLine);
    }
    commandLine.addSubcommand(
        "completion", CommandSpec.forAnnotatedObject(new AutoComplete.GenerateCompletion()));
    return CommandRunner.configure(commandLine);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
