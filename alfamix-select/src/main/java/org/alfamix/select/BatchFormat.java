package org.alfamix.select;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** A file format of a batch. */
public enum BatchFormat {
  CSV(".csv"),
  JSONL(".jsonl"),
  PARQUET(".parquet"),
  NPY(".npy"),
  LABEL_STUDIO(".json");

  private final String ending;

  BatchFormat(String ending) {
    this.ending = ending;
  }

  /** Returns the name on the command line, such as {@code label-studio}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns whether it is text that a terminal can show. */
  public boolean isText() {
    return this != PARQUET && this != NPY;
  }

  /** Returns the format of a file extension; empty if it is unknown. */
  public static Optional<BatchFormat> ofFile(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(format -> name.endsWith(format.ending)).findFirst();
  }
}
