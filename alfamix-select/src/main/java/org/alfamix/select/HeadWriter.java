package org.alfamix.select;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.array.Npy;
import org.alfamix.model.LinearHead;

/** Writes the last layer of a model, as {@link HeadReader} reads it. */
public final class HeadWriter {
  private HeadWriter() {}

  /**
   * Writes an {@code .npz} with weight and bias.
   *
   * @param classNames the names of the classes, or null
   */
  public static void write(Path file, LinearHead head, List<String> classNames) {
    AtomicFile.write(file, out -> write(out, head, classNames));
  }

  /** Writes the same to a stream. */
  public static void write(OutputStream out, LinearHead head, List<String> classNames)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    begin(zip, "weight");
    Npy.write(zip, head.weights());
    begin(zip, "bias");
    Npy.write(zip, head.bias());
    if (classNames != null) {
      begin(zip, HeadReader.CLASSES);
      Npy.write(zip, classNames);
    }
    zip.finish();
  }

  private static void begin(ZipOutputStream zip, String array) throws IOException {
    ZipEntry entry = new ZipEntry(array + ".npy");
    // A fixed time stamp, so that equal heads are equal files.
    entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
    zip.putNextEntry(entry);
  }
}
