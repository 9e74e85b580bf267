package org.alfamix.io.array;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** A temporary file for data that do not fit into memory, deleted when the process ends. */
final class TemporaryChannel {
  private TemporaryChannel() {}

  static FileChannel open() throws IOException {
    return FileChannel.open(
        Files.createTempFile("alfamix-", ".tmp"),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }
}
