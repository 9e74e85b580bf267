package org.alfamix.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class UsageMessageTest {
  private enum Format {
    CSV,
    JSON
  }

  private static final class Source {
    @Option(names = "--table", paramLabel = "FILE")
    private String table;

    @Option(names = "--query", paramLabel = "SQL")
    private String query;
  }

  @Command(name = "read")
  private static final class Read implements Runnable {
    @ArgGroup(multiplicity = "1")
    private Source source;

    @Option(names = "--rows", paramLabel = "N")
    private int rows;

    @Option(names = {"-s", "--share"})
    private double share;

    @Option(names = "--format")
    private Format format;

    @Option(names = "--set", paramLabel = "KEY=VALUE")
    private Map<String, String> settings;

    @Option(names = "--seeds", split = ",")
    private List<Long> seeds;

    @Override
    public void run() {}
  }

  @Command(name = "copy")
  private static final class Copy implements Runnable {
    @Parameters(paramLabel = "TARGET")
    private String target;

    @Option(names = "--user", required = true)
    private String user;

    @Override
    public void run() {}
  }

  @Command(
      name = "tool",
      subcommands = {Read.class, Copy.class})
  private static final class Tool {}

  private static String error(String... args) {
    StringWriter err = new StringWriter();
    CommandLine command = CommandRunner.configure(new Tool()).setErr(new PrintWriter(err, true));
    assertEquals(ExitCode.USAGE, CommandRunner.run(command, args));
    return err.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          read --table a --rows x       | --rows is 'x', expected an integer.
          read --table a -s x           | --share is 'x', expected a number.
          read --table a --seeds 1,x    | --seeds is 'x', expected an integer.
          read --table a --format pdf   | --format is 'pdf', expected csv or json.
          read --table a --set b        | --set is 'b', expected KEY=VALUE.
          read --rows                   | --rows requires a value (N).
          read                          | One of --table and --query is required.
          read --table a --query b      | --table and --query cannot be combined.
          read --table a --rwos 3       | Unknown option '--rwos'; did you mean --rows?
          read --table a --colour 3     | Unknown option '--colour'.
          read --table a b              | Unexpected argument 'b'.
          copy --user me                | TARGET is required.
          copy a                        | --user is required.
          copy                          | --user and TARGET are required.
          raed                          | Unknown command 'raed'; did you mean read?
          write                         | Unknown command 'write'.
          """)
  void namesTheArgumentAndWhatWasExpected(String line, String expected) {
    String error = error(line.split(" "));
    assertEquals("alfamix: " + expected, error.lines().findFirst().orElse(""));
    assertTrue(error.contains(" --help'."), error);
  }

  @Test
  void namesAnEmptyArgument() {
    String error = error("read", "--table", "");
    assertTrue(error.startsWith("alfamix: --table is empty, expected a value."), error);
  }
}
