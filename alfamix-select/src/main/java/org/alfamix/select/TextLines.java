package org.alfamix.select;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;

/** Text files of one entry per line. */
public final class TextLines {
  private TextLines() {}

  /** Returns the non-empty lines, trimmed and without a byte-order mark. */
  public static List<String> read(Path file) {
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.startsWith("\uFEFF") ? line.substring(1) : line)
          .map(String::strip)
          .filter(line -> !line.isEmpty())
          .toList();
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
