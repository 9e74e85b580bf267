package org.alfamix.command;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
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

/** What {@code select} writes, and in which form. */
public final class SelectOutputs {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Where to write the picks (default: standard output).")
  private Path output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "csv, jsonl, parquet, npy (row numbers) or label-studio (default: by the ending of the"
              + " output, else csv).")
  private String formatName;

  @Option(
      names = "--manifest",
      paramLabel = "FILE",
      description = "Where to write what made the picks, as JSON: files, options, seed, times.")
  private Path manifest;

  @Option(
      names = "--candidates",
      paramLabel = "FILE",
      description = "Where to write every candidate of alfamix: id,flip_cap, or .npy of rows.")
  private Path candidates;

  @Option(
      names = "--task-data",
      paramLabel = "KEY=VALUE",
      description =
          "A field of a Label Studio task; {id} stands for the item's id (default: image={id}).")
  private Map<String, String> taskData = new LinkedHashMap<>();

  @Option(
      names = "--task-from",
      paramLabel = "NAME",
      description = "The name of Label Studio's Choices tag (default: ${DEFAULT-VALUE}).",
      defaultValue = "label")
  private String taskFrom;

  @Option(
      names = "--task-to",
      paramLabel = "NAME",
      description = "The name of the tag it refers to (default: the first --task-data, or image).")
  private String taskTo;

  private BatchFormat format = BatchFormat.CSV;

  /** Where the picks go; null for standard output. */
  public Path file() {
    return output;
  }

  /** Whether the picks were sent to standard output by name. */
  public boolean wantsStandardOutput() {
    return Path.of("-").equals(output);
  }

  /** Where the manifest goes; null for nowhere. */
  public Path manifest() {
    return manifest;
  }

  public boolean wantsCandidates() {
    return candidates != null;
  }

  /** Where the candidates go; null for nowhere. */
  public Path candidates() {
    return candidates;
  }

  /** The form that was asked for, or follows from the name of the file. */
  public BatchFormat format() {
    return format;
  }

  /** Whatever can be known to fail at the end fails now; nothing that is read may be written. */
  public void check(List<Path> inputs, boolean dryRun) {
    if (Path.of("-").equals(output)) {
      output = null;
    }
    if (Path.of("-").equals(manifest) || Path.of("-").equals(candidates)) {
      throw wrongUsage("--manifest and --candidates need the name of a file, got '-'.");
    }
    Set<Path> taken = inputs.stream().map(AtomicFile::followed).collect(Collectors.toSet());
    for (Path file : new Path[] {output, manifest, candidates}) {
      if (file == null) {
        continue;
      }
      boolean regular = !Files.exists(file) || Files.isRegularFile(file);
      if (regular && taken.contains(AtomicFile.followed(file))) {
        throw wrongUsage(file + " is named twice: it would be overwritten.");
      }
      taken.add(AtomicFile.followed(file));
      AtomicFile.requireWritable(file);
    }
    if (candidates != null && !candidates.toString().matches("(?i).*\\.(csv|npy)")) {
      throw wrongUsage("--candidates are written as .csv or .npy, got " + candidates + ".");
    }
    format = chosenFormat();
    if (output == null && !dryRun && !format.isText()) {
      throw wrongUsage("--format " + format.id() + " needs --output FILE.");
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
                    "%s: expected .csv, .jsonl, .parquet, .npy or .json, or say --format."
                        .formatted(output)));
  }

  /** Writes candidates and picks to their files, which appear together. */
  public void writeFiles(Batch batch, AtomicFiles files) {
    if (candidates != null) {
      BatchWriter.writeCandidates(batch, candidates, files);
    }
    writePicks(batch.list(), files);
  }

  /** Writes the picks to their file, where one was named. */
  public void writePicks(PickList picks, AtomicFiles files) {
    if (output != null) {
      new BatchWriter(labelStudioTasks()).write(picks, format, output, files);
    }
  }

  /**
   * Prints the picks where no file was named for them.
   *
   * @param out where they go; null for nowhere
   */
  public void print(PickList picks, PrintWriter out) throws IOException {
    if (output != null || out == null) {
      return;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new BatchWriter(labelStudioTasks()).write(picks, format, bytes);
    out.print(bytes.toString(StandardCharsets.UTF_8));
    requireWritten(out);
  }

  /**
   * A full disk is an error, though a PrintWriter keeps it to itself. A reader that has seen
   * enough, as {@code | head} does, is none.
   */
  public static void requireWritten(PrintWriter out) {
    if ((out.checkError() || System.out.checkError()) && !readerIsGone()) {
      throw new UncheckedIOException(new IOException("standard output cannot be written."));
    }
  }

  /** Writes once more, past Java's own stream, to hear what is wrong. */
  private static boolean readerIsGone() {
    // Not closed: standard output is not ours to close.
    FileOutputStream raw = new FileOutputStream(FileDescriptor.out);
    try {
      raw.write('\n');
      return false;
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
    }
  }

  private LabelStudioTasks labelStudioTasks() {
    Map<String, String> data = taskData.isEmpty() ? Map.of("image", "{id}") : taskData;
    String to = taskTo != null ? taskTo : data.keySet().iterator().next();
    return new LabelStudioTasks(taskFrom, to, data);
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
