package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.learn.LearnerEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the networks. */
@Command(
    name = "networks",
    description = "List the networks for 'train', including your own.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class NetworksCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    LearnerEngine.find()
        .networks()
        .forEach(network -> out.printf("%-17s %s%n", network.name(), network.description()));
    out.flush();
    return ExitCode.SUCCESS;
  }
}
