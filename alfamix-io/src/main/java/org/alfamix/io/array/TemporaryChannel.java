package org.alfamix.io.array;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** A file for what does not fit into memory, which vanishes with the process. */
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
