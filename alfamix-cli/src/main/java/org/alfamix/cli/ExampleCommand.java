package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Shell;
import org.alfamix.command.Version;
import org.alfamix.datasets.EmbeddedTable;
import org.alfamix.datasets.Table;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.select.HeadWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a small pool with labels and a head, as an example for {@code select}. */
@Command(
    name = "example",
    description = {
      "Write a small example for 'select': 1,797 handwritten digits with 64 features.",
      "",
      "The folder receives pool.npy, pool.csv (the same pool with ids), labels.csv (100 labels by"
          + " row number), labels-by-id.csv (the same labels by id), head.npz and truth.csv (all"
          + " labels).",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class ExampleCommand implements Callable<Integer> {
  private static final int LABELLED = 100;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      description = "The output folder, which is created if necessary.")
  private Path folder;

  @Override
  public Integer call() {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new ParameterException(spec.commandLine(), folder + " is a file, expected a folder.");
    }
    try {
      write(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot be written: " + e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Wrote an example to %s. Next, run:%n%n", folder);
    out.printf(
        "  %2$s select --embeddings %1$s/pool.npy --labels %1$s/labels.csv --head %1$s/head.npz"
            + " --budget 5%n",
        folder, Shell.alfamix());
    out.flush();
    return ExitCode.SUCCESS;
  }

  static void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Table table = EmbeddedTable.DIGITS.read();
    int[] rows = IntStream.range(0, LABELLED).toArray();
    int[] labels = Arrays.copyOf(table.labels(), LABELLED);
    LinearHead head =
        LogisticRegression.fit(
                table.features().gather(rows),
                labels,
                table.classes(),
                LogisticRegression.Options.DEFAULT)
            .head();
    AtomicFile.write(folder.resolve("pool.npy"), out -> Npy.write(out, table.features()));
    HeadWriter.write(folder.resolve("head.npz"), head, null);
    StringBuilder pool = new StringBuilder("id,embedding\n");
    StringBuilder byRow = new StringBuilder("id,label\n");
    StringBuilder byId = new StringBuilder("id,label\n");
    StringBuilder truth = new StringBuilder("id,label\n");
    for (int i = 0; i < table.size(); i++) {
      String label = "," + table.classNames().get(table.labels()[i]) + "\n";
      pool.append(id(i)).append(",\"").append(list(table.features(), i)).append("\"\n");
      truth.append(id(i)).append(label);
      if (i < LABELLED) {
        byRow.append(i).append(label);
        byId.append(id(i)).append(label);
      }
    }
    writeText(folder.resolve("pool.csv"), pool);
    writeText(folder.resolve("labels.csv"), byRow);
    writeText(folder.resolve("labels-by-id.csv"), byId);
    writeText(folder.resolve("truth.csv"), truth);
  }

  private static void writeText(Path file, CharSequence text) {
    AtomicFile.write(file, out -> out.write(text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static String id(int i) {
    return String.format(Locale.ROOT, "digit-%04d.png", i);
  }

  private static String list(FloatMatrix rows, int i) {
    return Arrays.toString(rows.row(i));
  }
}
