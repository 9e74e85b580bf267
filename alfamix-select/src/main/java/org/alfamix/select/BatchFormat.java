package org.alfamix.select;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a batch can be written. */
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

  /** As on the command line: {@code label-studio}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is text that a terminal can show. */
  public boolean isText() {
    return this != PARQUET && this != NPY;
  }

  /** The format that the ending of a file stands for; empty where it stands for none. */
  public static Optional<BatchFormat> ofFile(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return Arrays.stream(values()).filter(format -> name.endsWith(format.ending)).findFirst();
  }
}
