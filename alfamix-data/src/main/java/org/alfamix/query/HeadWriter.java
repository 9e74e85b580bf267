package org.alfamix.query;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.data.array.Npy;
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
    AtomicFile.write(
        file,
        out -> {
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
        });
  }

  private static void begin(ZipOutputStream zip, String array) throws IOException {
    zip.putNextEntry(new ZipEntry(array + ".npy"));
  }
}
