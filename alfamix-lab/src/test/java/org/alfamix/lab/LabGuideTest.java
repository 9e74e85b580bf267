package org.alfamix.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.datasets.Datasets;
import org.alfamix.lab.report.Report;
import org.alfamix.lab.report.Results;
import org.alfamix.lab.run.Experiment;
import org.alfamix.lab.run.Lab;
import org.alfamix.lab.run.LabListener;
import org.alfamix.lab.run.LabSources;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.LearnerEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java code of the guide to the lab, with other paths. */
class LabGuideTest {
  @TempDir private Path folder;

  @Test
  void runsTheJavaOfTheGuide() throws IOException {
    Files.writeString(
        folder.resolve("mine.yaml"),
        "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\nrounds: 1\n"
            + "training: {epochs: 5}\nstrategies: [random, alfamix]\n");
    LabSources reader = data -> Datasets.open(data.name(), folder);
    LabListener listener =
        (job, why) -> {
          throw new AssertionError(job.toString(), why);
        };

    Setting setting = Settings.read(folder.resolve("mine.yaml"));
    Experiment experiment = new Experiment(setting, setting.defaultMethods(), List.of(1L, 2L));
    try (Lab lab = new Lab(folder.resolve("runs"), LearnerEngine.find(), "auto", reader, false)) {
      lab.run(List.of(experiment), 2, listener);
    }
    Report.of(Results.read(folder.resolve("runs"))).write(folder.resolve("report.html"));

    assertTrue(Files.size(folder.resolve("report.html")) > 10_000);
    String guide = Files.readString(Path.of("..", "docs", "guide", "lab.md"));
    for (String line :
        new String[] {
          "Setting setting = Settings.read(Path.of(\"mine.yaml\"));",
          "Experiment experiment = new Experiment(setting, setting.defaultMethods(), List.of(1L,"
              + " 2L));",
          "new Lab(Path.of(\"runs\"), LearnerEngine.find(), \"auto\", reader, false)",
          "lab.run(List.of(experiment), 2, listener);",
          "Report.of(Results.read(Path.of(\"runs\"))).write(Path.of(\"report.html\"));",
          "`data -> Datasets.open(data.name(), folder)`"
        }) {
      assertTrue(guide.contains(line), line);
    }
  }
}
