package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Runs a small selection, so that the launcher can archive the loaded classes. */
@Command(
    name = "prepare",
    hidden = true,
    description = "Run a small selection to load its classes.")
final class PrepareCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("alfamix-prepare");
    try {
      ExampleCommand.write(folder);
      return select(
          "--embeddings",
          folder.resolve("pool.npy").toString(),
          "--labels",
          folder.resolve("labels.csv").toString(),
          "--budget",
          "20",
          "--output",
          folder.resolve("picks.csv").toString(),
          "--manifest",
          folder.resolve("manifest.json").toString());
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static int select(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "select";
    System.arraycopy(options, 0, args, 1, options.length);
    CommandLine commandLine = Main.commandLine();
    return commandLine
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(args);
  }
}
