package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.io.AtomicFile;
import org.alfamix.lab.report.Report;
import org.alfamix.lab.report.Results;
import org.alfamix.lab.report.TableFormat;
import org.alfamix.lab.statistics.Victories;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates the report, tables and figures of runs. */
@Command(
    name = "report",
    description = {
      "Create a self-contained HTML page from a folder of runs: learning curves, pairwise"
          + " comparisons, labels saved, times, and statistics of the picks; or write only the"
          + " tables or the figures.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true,
    footer = {
      "",
      "Examples:",
      "  alfamix lab report runs -o report.html",
      "  alfamix lab report runs --format latex > tables.tex",
      "  alfamix lab report runs --format csv -o tables    writes one file per table",
      "  alfamix lab report runs --format svg -o figures   writes one file per figure"
    })
final class LabReportCommand implements Callable<Integer> {
  /** The output formats. */
  enum Format {
    HTML,
    CSV,
    JSON,
    LATEX,
    MARKDOWN,
    SVG
  }

  /** The maximum number of skipped runs that are listed. */
  private static final int MAX_LISTED = 5;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      description = "A folder of runs, written by 'alfamix lab run --runs FOLDER'.")
  private Path folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The output file (default: report.html; standard output for tables; the folder figures"
              + " for svg). For csv, it may be a folder, which receives one file per table.")
  private Path output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "The output format: html, csv, json, latex, markdown, or svg (only the figures).",
      defaultValue = "html")
  private Format format;

  @Option(
      names = "--threshold",
      paramLabel = "T",
      description =
          "The t-score above which a round counts as won. The default is the paper's value, for 5"
              + " seeds.",
      defaultValue = "" + Victories.THRESHOLD)
  private double threshold;

  @Override
  public Integer call() {
    if (!(threshold > 0) || Double.isInfinite(threshold)) {
      throw wrongUsage("--threshold is %s, expected a positive number.".formatted(threshold));
    }
    if (output != null && output.toString().isBlank()) {
      throw wrongUsage("--output is empty, expected a file name.");
    }
    if (format == Format.HTML && output == null) {
      output = Path.of("report.html");
    }
    if (format == Format.SVG && output == null) {
      output = Path.of("figures");
    }
    boolean severalFiles =
        format == Format.SVG || format == Format.CSV && output != null && isFolder(output);
    if (output != null && !severalFiles) {
      requireWritable();
    }
    if (severalFiles && Files.exists(output) && !Files.isDirectory(output)) {
      throw wrongUsage("--output is the file %s, expected a folder.".formatted(output));
    }
    Results results = Results.read(folder);
    Report report = Report.of(results, threshold);
    reportSkipped(results);
    PrintWriter out = spec.commandLine().getOut();
    if (format == Format.HTML) {
      report.write(output);
      out.printf("Wrote %s; open it in a browser: %s%n", output, output.toUri());
    } else if (severalFiles) {
      createFolder();
      boolean figures = format == Format.SVG;
      int count = (figures ? report.writeFigures(output) : report.writeTables(output)).size();
      out.printf("Wrote %d %s to %s.%n", count, figures ? "figures" : "tables", output);
    } else {
      String text = report.tables(TableFormat.valueOf(format.name()));
      if (output == null) {
        out.print(text);
      } else {
        AtomicFile.write(output, stream -> stream.write(text.getBytes(StandardCharsets.UTF_8)));
        out.printf("Wrote %s.%n", output);
      }
    }
    out.flush();
    return ExitCode.SUCCESS;
  }

  /** Reports skipped runs, which tables do not mention. */
  private void reportSkipped(Results results) {
    List<String> skipped = results.unfinished();
    PrintWriter err = spec.commandLine().getErr();
    skipped.stream().limit(MAX_LISTED).forEach(run -> err.printf("alfamix: skipped: %s.%n", run));
    if (skipped.size() > MAX_LISTED) {
      err.printf("alfamix: skipped: %d more runs.%n", skipped.size() - MAX_LISTED);
    }
    err.flush();
  }

  /** Returns whether a path is an existing folder or a name without an extension. */
  private static boolean isFolder(Path path) {
    return Files.isDirectory(path)
        || !Files.exists(path) && !path.getFileName().toString().contains(".");
  }

  private void createFolder() {
    try {
      Files.createDirectories(output);
    } catch (IOException e) {
      throw new UncheckedIOException(output + ": cannot be written: " + AtomicFile.reason(e), e);
    }
  }

  /** Validates the output before all runs are read. */
  private void requireWritable() {
    Path sibling = output.toAbsolutePath().resolveSibling("setting.yaml");
    if (Files.exists(sibling)) {
      throw wrongUsage(
          "--output is %s, which is inside a folder of runs; choose another folder."
              .formatted(output));
    }
    AtomicFile.requireWritable(output);
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
