package org.alfamix.io.array;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.alfamix.io.DataException;

/** Bytes with random access from several threads at once. */
interface ByteSource {

  /** Fills the remaining target with the bytes from {@code position} on. */
  void read(long position, ByteBuffer target);

  static ByteSource of(byte[] bytes) {
    return (position, target) -> {
      int count = target.remaining();
      target.put(bytes, Math.toIntExact(position), count);
    };
  }

  /**
   * Returns a source for a file, which is opened on first use and closed by the garbage collector.
   */
  static ByteSource of(Path file) {
    return new ByteSource() {
      private FileChannel channel;

      private synchronized FileChannel channel() throws IOException {
        if (channel == null) {
          channel = FileChannel.open(file, StandardOpenOption.READ);
        }
        return channel;
      }

      @Override
      public void read(long position, ByteBuffer target) {
        try {
          readFully(channel(), position, target, file.toString());
        } catch (IOException e) {
          throw DataException.unreadable(file, e);
        }
      }
    };
  }

  /** Returns a source for an open channel, such as that of a temporary file. */
  static ByteSource of(FileChannel channel, String name) {
    return (position, target) -> {
      try {
        readFully(channel, position, target, name);
      } catch (IOException e) {
        throw new DataException(name + ": cannot be read: " + e.getMessage() + ".", e);
      }
    };
  }

  private static void readFully(FileChannel channel, long position, ByteBuffer target, String name)
      throws IOException {
    while (target.hasRemaining()) {
      int count = channel.read(target, position);
      if (count < 0) {
        throw new DataException(
            name + ": unexpected end of file; the file may have changed while it was read.");
      }
      position += count;
    }
  }
}
