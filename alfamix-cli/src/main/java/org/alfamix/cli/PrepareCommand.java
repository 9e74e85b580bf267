package org.alfamix.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.alfamix.data.EmbeddedTable;
import org.alfamix.data.Table;
import org.alfamix.data.array.Npy;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Walks through a small selection, so that the launcher can keep the classes this loads in an
 * archive. Nothing else comes of it.
 */
@Command(name = "prepare", hidden = true, description = "Load what a selection loads.")
final class PrepareCommand implements Callable<Integer> {
  private static final int LABELLED = 100;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("alfamix-prepare");
    try {
      Table table = EmbeddedTable.DIGITS.read();
      Path pool = folder.resolve("pool.npy");
      try (OutputStream out = Files.newOutputStream(pool)) {
        Npy.writeHeader(out, "<f4", table.size() + ", " + table.features().columns());
        float[] values = table.features().array();
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        out.write(bytes.array());
      }
      StringBuilder labels = new StringBuilder("id,label\n");
      for (int i = 0; i < LABELLED; i++) {
        labels.append(i).append(',').append(table.labels()[i]).append('\n');
      }
      Path labelled = Files.writeString(folder.resolve("labels.csv"), labels);
      return select(
          "--embeddings",
          pool.toString(),
          "--labels",
          labelled.toString(),
          "--budget",
          "20",
          "--output",
          folder.resolve("picks.csv").toString(),
          "--manifest",
          folder.resolve("manifest.json").toString());
    } finally {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  private static int select(String... options) {
    String[] args = new String[options.length + 1];
    args[0] = "select";
    System.arraycopy(options, 0, args, 1, options.length);
    CommandLine commandLine = Main.commandLine();
    return commandLine
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(new StringWriter()))
        .execute(args);
  }
}
