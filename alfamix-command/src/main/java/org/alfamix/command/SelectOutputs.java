package org.alfamix.command;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.AtomicFiles;
import org.alfamix.select.Batch;
import org.alfamix.select.BatchFormat;
import org.alfamix.select.BatchWriter;
import org.alfamix.select.BatchWriter.LabelStudioTasks;
import org.alfamix.select.PickList;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The outputs of {@code select} and their formats. */
public final class SelectOutputs {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "The output file for the picks (default: standard output).")
  private Path output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "The output format: csv, jsonl, parquet, npy (row numbers) or label-studio (default: by"
              + " the extension of --output, otherwise csv).")
  private String formatName;

  @Option(
      names = "--manifest",
      paramLabel = "FILE",
      description =
          "Write a manifest (JSON) with input files, options, seed and times to this file.")
  private Path manifest;

  @Option(
      names = "--candidates",
      paramLabel = "FILE",
      description =
          "Write all candidates of alfamix to this file: .csv for ids and flip caps, or .npy for"
              + " row numbers.")
  private Path candidates;

  @Option(
      names = "--task-data",
      paramLabel = "KEY=VALUE",
      description =
          "A field of the Label Studio tasks, in which {id} is replaced by the id of the item, and"
              + " {text} by its text; can be repeated (default: image={id}; text={text} for"
              + " --texts).")
  private Map<String, String> taskData = new LinkedHashMap<>();

  @Option(
      names = "--task-from",
      paramLabel = "NAME",
      description = "The name of the Choices tag in Label Studio (default: ${DEFAULT-VALUE}).",
      defaultValue = "label")
  private String taskFrom;

  @Option(
      names = "--task-to",
      paramLabel = "NAME",
      description =
          "The name of the Label Studio tag that Choices refers to (default: the key of the first"
              + " --task-data, or of the default).")
  private String taskTo;

  private BatchFormat format = BatchFormat.CSV;

  /** Returns the file for the picks; null for standard output. */
  public Path file() {
    return output;
  }

  /** Returns whether standard output was requested explicitly ({@code --output -}). */
  public boolean wantsStandardOutput() {
    return Path.of("-").equals(output);
  }

  /** Returns the file for the manifest; null for none. */
  public Path manifest() {
    return manifest;
  }

  public boolean wantsCandidates() {
    return candidates != null;
  }

  /** Returns the file for the candidates; null for none. */
  public Path candidates() {
    return candidates;
  }

  /** Returns the requested format, or the one of the file extension. */
  public BatchFormat format() {
    return format;
  }

  /** Validates the outputs before any work is done; none of the inputs may be overwritten. */
  public void check(List<Path> inputs, boolean dryRun) {
    if (Path.of("-").equals(output)) {
      output = null;
    }
    if (Path.of("-").equals(manifest) || Path.of("-").equals(candidates)) {
      throw wrongUsage("--manifest and --candidates require a file name, got '-'.");
    }
    Set<Path> taken = inputs.stream().map(AtomicFile::resolveLinks).collect(Collectors.toSet());
    for (Path file : new Path[] {output, manifest, candidates}) {
      if (file == null) {
        continue;
      }
      boolean regular = !Files.exists(file) || Files.isRegularFile(file);
      if (regular && taken.contains(AtomicFile.resolveLinks(file))) {
        throw wrongUsage(
            file + " is already used as an input or another output; choose another file.");
      }
      taken.add(AtomicFile.resolveLinks(file));
      AtomicFile.requireWritable(file);
    }
    if (candidates != null && !candidates.toString().matches("(?i).*\\.(csv|npy)")) {
      throw wrongUsage("--candidates is " + candidates + ", expected a .csv or .npy file.");
    }
    format = chosenFormat();
    if (output == null && !dryRun && !format.isText()) {
      throw wrongUsage("--format " + format.id() + " requires --output FILE.");
    }
  }

  private BatchFormat chosenFormat() {
    if (formatName != null) {
      return Arrays.stream(BatchFormat.values())
          .filter(known -> known.id().equals(formatName.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  wrongUsage(
                      "Unknown format '%s', expected csv, jsonl, parquet, npy or label-studio."
                          .formatted(formatName)));
    }
    if (output == null || (Files.exists(output) && !Files.isRegularFile(output))) {
      return BatchFormat.CSV;
    }
    return BatchFormat.ofFile(output)
        .orElseThrow(
            () ->
                wrongUsage(
                    ("%s: expected the extension .csv, .jsonl, .parquet, .npy or .json; use one of"
                            + " them, or set --format.")
                        .formatted(output)));
  }

  /** Writes candidates and picks to their files, which are moved into place together. */
  public void writeFiles(Batch batch, AtomicFiles files) {
    if (candidates != null) {
      BatchWriter.writeCandidates(batch, candidates, files);
    }
    writePicks(batch.list(), files);
  }

  /** Writes the picks to their file, if there is one. */
  public void writePicks(PickList picks, AtomicFiles files) {
    if (output != null) {
      new BatchWriter(labelStudioTasks(picks)).write(picks, format, output, files);
    }
  }

  /**
   * Prints the picks if there is no file for them.
   *
   * @param out the stream; null for none
   */
  public void print(PickList picks, PrintWriter out) throws IOException {
    if (output != null || out == null) {
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new BatchWriter(labelStudioTasks(picks)).write(picks, format, bytes);
    out.print(bytes.toString(StandardCharsets.UTF_8));
    StandardOutput.requireWritten(out);
  }

  private LabelStudioTasks labelStudioTasks(PickList picks) {
    LabelStudioTasks usual =
        picks.pool().hasTexts() ? LabelStudioTasks.texts() : LabelStudioTasks.standard();
    Map<String, String> data = taskData.isEmpty() ? usual.data() : taskData;
    String to = taskTo != null ? taskTo : data.keySet().iterator().next();
    return new LabelStudioTasks(taskFrom, to, data);
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
