package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the commands of the lab. */
class LabCommandTest {
  @TempDir private Path folder;

  private CommandOutcome lab(String line, Path... paths) {
    List<String> args = new ArrayList<>(List.of("lab"));
    args.addAll(Arrays.asList(line.split(" ")));
    Arrays.stream(paths).map(Path::toString).forEach(args::add);
    return CommandOutcome.of(args.toArray(String[]::new));
  }

  private Path setting(String more) throws IOException {
    Path file = folder.resolve("small.yaml");
    Files.writeString(
        file,
        "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\nrounds: 2\nseeds: 2\n"
            + "training: {epochs: 20}\nstrategies: [random, alfamix]\n"
            + more);
    return file;
  }

  @Test
  void listsSettingsWithTheirAvailability() {
    CommandOutcome list = lab("settings --data-dir", folder);
    assertEquals(0, list.code(), list.err());
    assertTrue(list.out().contains("4    mnist-mlp "), list.out());
    assertTrue(list.out().contains("ready; downloads mnist first"), list.out());
    assertTrue(list.out().contains("not available: data hmdb51 (put the files into "), list.out());
    assertTrue(
        list.out().contains("needs vit-small-dino and cifar100 from their publishers"), list.out());
    assertTrue(list.out().contains(" of 83 settings, with data from this machine"), list.out());
    assertTrue(list.out().matches("(?s).*Another [1-9]\\d* need data or weights.*"), list.out());
    CommandOutcome one = lab("settings 29");
    assertTrue(one.out().contains("data: letter\nnetwork: mlp\n"), one.out());
  }

  @Test
  void runsASettingAndReportsTheResults() throws IOException {
    Path setting = setting("");
    Path runs = folder.resolve("runs");
    CommandOutcome run = lab("run", setting, Path.of("--runs"), runs);
    assertEquals(0, run.code(), run.err());
    assertEquals(4, run.err().lines().count(), run.err());
    assertTrue(run.err().contains("4/4  small, "), run.err());
    assertTrue(run.out().contains("Test accuracy in percent, mean of 2 seeds:"), run.out());
    assertTrue(run.out().contains("  labels                20     40     60\n"), run.out());
    assertTrue(run.out().contains("alfamix lab report "), run.out());
    CommandOutcome again = lab("run", setting, Path.of("--runs"), runs);
    assertEquals(run.out(), again.out());
    assertEquals("All 4 runs are already complete.\n", again.err());
    Path page = folder.resolve("report.html");
    CommandOutcome report = lab("report", runs, Path.of("-o"), page);
    assertEquals(0, report.code(), report.err());
    assertTrue(Files.readString(page).contains("<svg"));
    CommandOutcome latex = lab("report --format latex", runs);
    assertTrue(latex.out().contains("\\toprule"), latex.out());
    CommandOutcome json = lab("report --format json", runs);
    assertTrue(json.out().startsWith("{"), json.out());
    CommandOutcome tables = lab("report --format csv -o", folder.resolve("tables"), runs);
    assertEquals(0, tables.code(), tables.err());
    assertTrue(Files.exists(folder.resolve("tables").resolve("summary-small.csv")));
    CommandOutcome figures = lab("report --format svg -o", folder.resolve("figures"), runs);
    assertEquals(0, figures.code(), figures.err());
    assertTrue(Files.exists(folder.resolve("figures").resolve("curves-small.svg")));
    CommandOutcome markdown = lab("report --format markdown", runs);
    assertTrue(markdown.out().contains("### Summary, small\n\n| method |"), markdown.out());
  }

  @Test
  void packsAndComparesRuns() throws IOException {
    Path setting = setting("");
    Path runs = folder.resolve("runs");
    Path kept = folder.resolve("kept");
    lab("run --runs", runs, setting);
    CommandOutcome pack = lab("pack -o", kept, runs);
    assertEquals(0, pack.code(), pack.err());
    assertEquals("Packed 4 runs into " + kept + ".\n", pack.out());
    CommandOutcome none = lab("run --runs", kept, setting);
    assertEquals("All 4 runs are already complete.\n", none.err());

    Path again = folder.resolve("again");
    lab("run --seeds 1 --rounds 1 --runs", again, setting);
    CommandOutcome same = lab("compare", kept, again);
    assertEquals(0, same.code(), same.err());
    assertEquals("2 of 2 runs are identical; identical rounds: 4.\n", same.out());

    Path file = again.resolve("small").resolve("random-seed-1.jsonl");
    List<String> lines = Files.readAllLines(file);
    lines.set(2, lines.get(2).replaceFirst("\"accuracy\":[0-9.]+", "\"accuracy\":0.125"));
    Files.write(file, lines);
    CommandOutcome other = lab("compare", kept, again);
    assertEquals(1, other.code());
    assertTrue(
        other
            .out()
            .startsWith(
                "small, random, seed 1: differs from round 1 onwards (accuracy): accuracy "),
        other.out());
    assertTrue(
        other.out().contains("now 12.50 %\n1 of 2 runs are identical; identical rounds: 3"),
        other.out());
  }

  @Test
  void reportsAFailedRunAndCompletesTheOthers() throws IOException {
    Path setting = setting("");
    Path runs = folder.resolve("runs");
    lab("run --seeds 1 --runs", runs, setting);
    Path file = runs.resolve("small").resolve("random-seed-1.jsonl");
    Files.writeString(
        file, Files.readString(file).replaceFirst("\"network\":\"mlp\"", "\"network\":\"x\""));
    CommandOutcome run = lab("run --runs", runs, setting);
    assertEquals(3, run.code());
    assertTrue(
        run.err()
            .contains(
                "alfamix: small, random, seed 1 failed: " + file + " was started with network"),
        run.err());
    assertTrue(
        run.err()
            .contains(
                "1 run failed. Completed rounds are stored; after fixing the cause, run the same"
                    + " command again to resume."),
        run.err());
    assertTrue(Files.exists(runs.resolve("small").resolve("alfamix-seed-2.jsonl")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "run | 2 | SETTING is required.",
        "run digits-mpl | 3 | Unknown setting 'digits-mpl'; did you mean 'digits-mlp'?",
        "run digits-mlp --seeds none | 2 | --seeds is 'none', expected a number or a range",
        "run digits-mlp --seeds 5-3 | 2 | --seeds is '5-3', expected",
        "run digits-mlp --seeds 0 | 2 | --seeds is '0', expected",
        "run digits-mlp --jobs 0 | 2 | --jobs is '0', expected auto or 1 to 1024.",
        "run digits-mlp --rounds 0 | 2 | --rounds must be at least 1, got 0.",
        "run digits-mlp --rounds 99 | 2 | digits-mlp has 8 rounds, fewer than the requested 99.",
        "run digits-mlp --strategies alfamx | 2 | --strategies is 'alfamx'",
        "run digits-mlp --strategies alfamix:picks=x | 2 | Option picks of alfamix is 'x', expected"
            + " one",
        "run digits-mlp digits-mlp | 2 | Duplicate setting 'digits-mlp'.",
        "run hmdb51-mvit | 3 | hmdb51-mvit cannot be run on this machine: not available: data"
            + " hmdb51",
        "run nothing.yaml | 3 | nothing.yaml: no such file.",
        "run digits-mlp --device cuda:0 | 3 | cuda:0",
        "report nowhere | 3 | nowhere: no such folder.",
        "run 30 | 3 | Alternative with other data: poker-integers-mlp.",
        "pack nowhere | 3 | nowhere: no such folder.",
        "compare nowhere | 2 | REPEATED is required.",
        "compare nowhere neither | 3 | nowhere: no such folder.",
        "report . --format pdf | 2 | --format is 'pdf', expected html, csv, json, latex, markdown"
            + " or svg.",
        "report . --threshold -1 | 2 | --threshold is -1.0, expected a positive number.",
        "settings nothing | 3 | Unknown setting 'nothing'",
        "rum | 2 | run",
      })
  void reportsErrors(String line, int code, String expected) {
    CommandOutcome outcome =
        line.startsWith("run ") ? lab(line + " --runs", folder.resolve("never")) : lab(line);
    assertEquals(code, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
    assertTrue(outcome.err().lines().count() <= 3, outcome.err());
    assertFalse(outcome.err().contains("Exception"), outcome.err());
    assertFalse(Files.exists(folder.resolve("never").resolve("digits-mlp")), "no run was started");
  }

  @Test
  void acceptsNamesOfMethodsInTheSetting() throws IOException {
    Path setting = setting("");
    Files.writeString(
        setting,
        Files.readString(setting)
            .replace(
                "[random, alfamix]",
                "[random, {name: mine, strategy: alfamix, options: {picks: uniform}}]"));
    Path runs = folder.resolve("runs");
    lab("run --runs", runs, setting);
    CommandOutcome more = lab("run --seeds 3 --strategies mine --runs", runs, setting);
    assertEquals(0, more.code(), more.err());
    assertTrue(more.out().contains("mean of 2 to 3 seeds"), more.out());
    assertTrue(more.out().contains("  random (2 seeds) "), more.out());
    assertTrue(more.out().contains("  mine  "), more.out());
  }

  @Test
  void helpHidesTheSplitPattern() {
    assertTrue(lab("run --help").out().contains("--strategies=NAME[,NAME...]"));
  }

  @Test
  void acceptsSeveralOptionsOfAMethod() throws IOException {
    Path runs = folder.resolve("runs");
    CommandOutcome run =
        lab(
            "run --seeds 1 --rounds 1 --strategies random,alfamix:picks=uniform,grow=false --runs",
            runs,
            setting(""));
    assertEquals(0, run.code(), run.err());
    assertTrue(run.out().contains("  alfamix:picks=uniform,grow=false "), run.out());
  }
}
