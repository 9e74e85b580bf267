package org.alfamix.command;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;

/** Detects that standard output could not be written, which Java's streams hide. */
public final class StandardOutput {
  private StandardOutput() {}

  /**
   * Fails if a writer to standard output could not write, for example to a full disk. A reader that
   * closes the stream, such as {@code head}, is not an error.
   */
  public static void requireWritten(PrintWriter out) {
    if (out.checkError() || System.out.checkError()) {
      failure()
          .ifPresent(
              reason -> {
                throw new UncheckedIOException(new IOException(reason));
              });
    }
  }

  /**
   * Returns why standard output cannot be written; empty if its reader has closed it. Because the
   * streams hide the cause of a failure, this method writes once more without them.
   */
  static Optional<String> failure() {
    // Not closed: standard output belongs to the process.
    FileOutputStream raw = new FileOutputStream(FileDescriptor.out);
    try {
      raw.write('\n');
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      return reason.toLowerCase(Locale.ROOT).contains("pipe")
          ? Optional.empty()
          : Optional.of("standard output cannot be written: " + reason + ".");
    }
    return Optional.of("standard output cannot be written.");
  }
}
