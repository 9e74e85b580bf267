package org.alfamix.query;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes files that are there as a whole or not at all. */
public final class AtomicFile {
  private AtomicFile() {}

  /** Writes to a path that it is given. */
  @FunctionalInterface
  public interface PathWriter {
    void write(Path temporary) throws IOException;
  }

  /** Writes to a stream. */
  @FunctionalInterface
  public interface StreamWriter {
    void write(OutputStream out) throws IOException;
  }

  /** Writes a file through a stream. */
  public static void write(Path file, StreamWriter writer) {
    writePath(
        file,
        temporary -> {
          try (OutputStream out =
              new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
            writer.write(out);
          }
        });
  }

  /**
   * Writes a file under a temporary name beside it, and moves it into place. A link stays a link,
   * and what is no file, as a pipe or {@code /dev/stdout}, is written to as it is.
   */
  public static void writePath(Path file, PathWriter writer) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      try {
        writer.write(file);
      } catch (IOException e) {
        throw new UncheckedIOException(file + ": cannot be written: " + reason(e), e);
      }
      return;
    }
    Path absolute = followed(file);
    Path temporary = temporary(absolute);
    try {
      writer.write(temporary);
      force(temporary);
      move(temporary, absolute);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": cannot be written: " + reason(e), e);
    } finally {
      delete(temporary);
    }
  }

  /**
   * Writes files that belong together: all of them under temporary names first, then all are moved
   * into place, so that a failure while writing leaves what was there.
   *
   * @param folder where they go; it must be there
   */
  public static void writeAll(Path folder, Map<String, StreamWriter> files) {
    Map<Path, Path> moves = new LinkedHashMap<>();
    Path at = folder;
    try {
      for (Map.Entry<String, StreamWriter> file : files.entrySet()) {
        Path target = folder.resolve(file.getKey());
        at = target;
        requireWritable(target);
        Path temporary = temporary(followed(target));
        moves.put(temporary, followed(target));
        try (OutputStream out =
            new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
          file.getValue().write(out);
        }
      }
      for (Map.Entry<Path, Path> each : moves.entrySet()) {
        at = each.getValue();
        force(each.getKey());
        move(each.getKey(), each.getValue());
      }
    } catch (IllegalArgumentException | IOException e) {
      String why = e instanceof IOException io ? reason(io) : e.getMessage();
      throw new UncheckedIOException(at + ": cannot be written: " + why, new IOException(e));
    } finally {
      moves.keySet().forEach(AtomicFile::delete);
    }
  }

  /** A name must not lead to what is not on the disk yet, should the power fail. */
  private static void force(Path temporary) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(
        "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
  }

  private static void delete(Path temporary) {
    try {
      Files.deleteIfExists(temporary);
    } catch (IOException e) {
      // It was moved, or never made; what went wrong before this is what counts.
    }
  }

  /** Where a path leads: links are followed, and two names of one file become one. */
  public static Path followed(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    try {
      return Files.exists(absolute) ? absolute.toRealPath() : absolute;
    } catch (IOException e) {
      return absolute;
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Why something could not be written, in words; many exceptions say no more than a path. */
  public static String reason(IOException e) {
    String text = String.valueOf(e.getMessage());
    if (e instanceof AccessDeniedException) {
      text = "access denied";
    } else if (e instanceof FileAlreadyExistsException) {
      text = "there is a file of that name";
    } else if (e instanceof NoSuchFileException) {
      text = "there is no such folder";
    }
    return text.endsWith(".") ? text : text + ".";
  }

  /**
   * Fails now where a file is known to be impossible to write at the end of the work.
   *
   * @throws IllegalArgumentException where the path makes no sense: a folder, or in none
   * @throws UncheckedIOException where the right to write is missing
   */
  public static void requireWritable(Path file) {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(file + " is a folder, expected the name of a file.");
    }
    boolean device = Files.exists(file) && !Files.isRegularFile(file);
    Path folder = followed(file).getParent();
    if (!device && (folder == null || !Files.isDirectory(folder))) {
      throw new IllegalArgumentException(
          file + " cannot be written: there is no folder " + folder + ".");
    }
    if (!Files.isWritable(device ? file : folder)) {
      throw new UncheckedIOException(new IOException(file + ": cannot be written: access denied."));
    }
  }
}
