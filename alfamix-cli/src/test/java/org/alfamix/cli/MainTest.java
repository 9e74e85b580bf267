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

/** What a person sees. */
class MainTest {

  private static Outcome run(String... args) {
    return Outcome.of(args);
  }

  @Test
  void helpListsTheCommands() {
    Outcome help = run("--help");
    assertEquals(0, help.code());
    for (String command :
        new String[] {"select", "example", "demo", "lab", "strategies", "help", "completion"}) {
      assertTrue(help.out().contains("  " + command + " "), command);
    }
    assertFalse(help.out().contains("prepare"), "a command for the launcher alone");
    assertEquals(run("demo", "--help").out(), run("help", "demo").out());
  }

  @Test
  void versionTellsWhatRuns() {
    Outcome version = run("--version");
    assertEquals(0, version.code());
    assertTrue(version.out().contains("alfamix "));
    assertTrue(version.out().contains("kernels "));
  }

  @Test
  void completionIsAShellScript() {
    Outcome completion = run("completion");
    assertEquals(0, completion.code());
    assertTrue(completion.out().startsWith("#!/usr/bin/env bash"));
    assertTrue(completion.out().contains("--strategies"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "demo --budgt 3 | --budget",
        "demo --strategees x | --strategies",
        "demmo | alfamix demo",
        "\"\" | Missing command",
        "demo --data lettre | lettre",
        "demo --budget many | 'many' is not an int",
        "demo --strategies alfamx | strategy is 'alfamx'",
        "demo --budget 0 | --budget must be at least 1, got 0.",
        "demo --rounds 0 | --rounds must be at least 1, got 0.",
        "demo --seeds -1 | --seeds must be at least 1, got -1.",
        "demo --budget 9999 --rounds 9 | exceed the pool of 18000 items."
      })
  void mistakesAreExplained(String line, String expected) {
    Outcome mistake = run(line.isBlank() ? new String[0] : line.split(" "));
    assertEquals(2, mistake.code());
    assertTrue(mistake.err().contains(expected), mistake.err());
    assertTrue(mistake.err().lines().count() <= 3, mistake.err());
    assertFalse(mistake.err().contains("Exception"), mistake.err());
    assertEquals("", mistake.out());
  }

  @Test
  void everyStrategyIsListedWithItsPaper() {
    Outcome list = run("strategies");
    assertEquals(0, list.code());
    for (StrategyEntry<?> entry : Strategies.all()) {
      assertTrue(list.out().contains(entry.name()));
      assertTrue(list.out().contains(entry.citation()));
    }
    assertTrue(list.out().contains("options alpha=closed-form (or projected-gradient, random)\n"));
  }

  @Tag("slow")
  @Test
  void theDemoComparesMethodsAndDoesNotDependOnJobs(@TempDir Path folder) throws IOException {
    String line =
        "demo --data digits --budget 20 --rounds 2 --seeds 1 --strategies random,alfamix --jobs ";
    Outcome first = run((line + "1 --output " + folder.resolve("demo")).split(" "));
    assertEquals(0, first.code(), first.err());
    assertEquals(
        first.out(), run((line + "3 --output " + folder.resolve("demo")).split(" ")).out());
    assertTrue(first.out().contains("  random  "));
    assertTrue(first.out().contains("  alfamix  "));
    assertTrue(first.out().contains("report.html"));
    assertTrue(Files.readString(folder.resolve("demo/report.html")).contains("<svg"));
  }
}
