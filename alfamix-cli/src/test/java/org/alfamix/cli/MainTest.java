package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests help, version, completion and errors of the main command. */
class MainTest {

  private static CommandOutcome run(String... args) {
    return CommandOutcome.of(args);
  }

  @Test
  void helpListsTheCommands() {
    CommandOutcome help = run("--help");
    assertEquals(0, help.code());
    for (String command :
        new String[] {
          "select",
          "train",
          "embed",
          "networks",
          "data",
          "lab",
          "example",
          "demo",
          "strategies",
          "completion",
          "help",
          "studio",
          "spark",
          "bench"
        }) {
      assertTrue(help.out().contains("  " + command + " "), command);
    }
    assertFalse(help.out().contains("prepare"), "only the launcher calls this command");
    assertEquals(run("demo", "--help").out(), run("help", "demo").out());
  }

  @Test
  void versionReportsTheKernels() {
    CommandOutcome version = run("--version");
    assertEquals(0, version.code());
    assertTrue(version.out().contains("alfamix "));
    assertTrue(version.out().contains("kernels "));
  }

  @Test
  void completionPrintsAShellScript() {
    CommandOutcome completion = run("completion");
    assertEquals(0, completion.code());
    assertTrue(completion.out().startsWith("#!/usr/bin/env bash"));
    assertTrue(completion.out().contains("--strategies"));
    for (String command : new String[] {"select", "studio", "spark", "bench", "completion"}) {
      assertTrue(completion.out().contains("_picocli_alfamix_" + command + "()"), command);
    }
    assertTrue(run("completion", "--help").out().startsWith("Usage: alfamix completion "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "demo --budgt 3 | --budget",
        "demo --strategees x | --strategies",
        "demmo | Unknown command 'demmo'; did you mean demo?",
        "\"\" | Missing command",
        "demo --data lettre | lettre",
        "demo --budget many | --budget is 'many', expected an integer.",
        "demo --strategies alfamx | --strategies is 'alfamx'",
        "demo --budget 0 | --budget must be at least 1, got 0.",
        "demo --rounds 0 | --rounds must be at least 1, got 0.",
        "demo --seeds -1 | --seeds must be at least 1, got -1.",
        "demo --budget 9999 --rounds 9 | exceed the pool of 18,000 items."
      })
  void reportsErrors(String line, String expected) {
    CommandOutcome outcome = run(line.isBlank() ? new String[0] : line.split(" "));
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains(expected), outcome.err());
    assertTrue(outcome.err().lines().count() <= 3, outcome.err());
    assertFalse(outcome.err().contains("Exception"), outcome.err());
    assertEquals("", outcome.out());
  }

  @Test
  void listsAllStrategiesWithTheirPublications() {
    CommandOutcome list = run("strategies");
    assertEquals(0, list.code());
    for (StrategyEntry<?> entry : Strategies.all()) {
      assertTrue(list.out().contains(entry.name()));
      assertTrue(list.out().contains(entry.citation()));
    }
    assertTrue(list.out().contains("options alpha=closed-form (or projected-gradient, random)\n"));
  }

  @Tag("slow")
  @Test
  void demoResultsDoNotDependOnTheNumberOfJobs(@TempDir Path folder) throws IOException {
    String line =
        "demo --data digits --budget 20 --rounds 2 --seeds 1 --strategies random,alfamix --jobs ";
    CommandOutcome first = run((line + "1 --output " + folder.resolve("demo")).split(" "));
    assertEquals(0, first.code(), first.err());
    assertEquals(
        first.out(), run((line + "3 --output " + folder.resolve("demo")).split(" ")).out());
    assertTrue(first.out().contains("  random  "));
    assertTrue(first.out().contains("  alfamix  "));
    assertTrue(first.out().contains("report.html"));
    assertTrue(Files.readString(folder.resolve("demo/report.html")).contains("<svg"));
  }
}
