package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.alfamix.command.OptionNames;
import org.alfamix.command.ProgressLine;
import org.alfamix.lab.run.Job;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Tests the progress display of experiments in a terminal. */
class LabProgressTest {
  private final StringWriter shown = new StringWriter();
  private final LabProgress progress =
      new LabProgress(
          new ProgressLine(new PrintWriter(shown), true),
          new PrintWriter(shown),
          new OptionNames(CommandSpec.create()),
          true,
          1);
  private final Setting setting = Settings.find("digits-mlp").get(0).withRounds(1);
  private final Job job = new Job(setting, Method.parse("random"), 1);

  private static Round round(int number) {
    return new Round(
        number,
        new int[20 * (number + 1)],
        0.5,
        1,
        1,
        Optional.empty(),
        Map.of("train", 60.0),
        1,
        Map.of());
  }

  @Test
  void showsABarWithTheRemainingTime() {
    Map<Job, Integer> planned = new LinkedHashMap<>();
    planned.put(job, 0);
    progress.planned(planned);
    progress.round(job, round(0));
    String line = shown.toString();
    assertTrue(
        line.startsWith("\r█████████░░░░░░░░░░░░░░░  40 %, about 90 s left; 0 of 1 runs; dig"),
        line);
    assertTrue(line.length() <= 80 + 3, "a line that wraps cannot be overwritten: " + line);
    assertEquals(9, shown.toString().chars().filter(c -> c == '█').count());
    progress.round(job, round(1));
    progress.finished(job, round(1));
    assertTrue(
        shown
            .toString()
            .contains("1/1  digits-mlp, random, seed 1: 50.0 % with 40 labels (2 min)\n"),
        shown.toString());
  }

  /** A run may have more rounds than planned. */
  @Test
  void limitsTheBarToItsWidth() {
    progress.planned(Map.of(job, 1));
    progress.round(job, round(0));
    progress.round(job, round(1));
    progress.failed(job, new IllegalStateException("out of luck"));
    assertTrue(
        shown.toString().contains("alfamix: digits-mlp, random, seed 1 failed: out of luck"));
  }
}
