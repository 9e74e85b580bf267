package org.alfamix.io;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.alfamix.error.InvalidRequestException;

/** Writes files that are there as a whole or not at all. */
public final class AtomicFile {
  private static final int MOST_LINKS = 40;

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
    try (AtomicFiles files = new AtomicFiles()) {
      files.write(file, writer);
      files.commit();
    }
  }

  /** Writes a file by its path, see {@link AtomicFiles}. */
  public static void writePath(Path file, PathWriter writer) {
    try (AtomicFiles files = new AtomicFiles()) {
      files.writePath(file, writer);
      files.commit();
    }
  }

  /**
   * Writes files that belong together, so that a failure while writing leaves what was there.
   *
   * @param folder where they go; it must be there
   */
  public static void writeAll(Path folder, Map<String, StreamWriter> files) {
    try (AtomicFiles all = new AtomicFiles()) {
      for (Map.Entry<String, StreamWriter> file : files.entrySet()) {
        Path target = folder.resolve(file.getKey());
        try {
          requireWritable(target);
        } catch (IllegalArgumentException e) {
          throw new UncheckedIOException(
              target + ": cannot be written: " + e.getMessage(), new IOException(e));
        }
        all.write(target, file.getValue());
      }
      all.commit();
    }
  }

  /**
   * Resolves all links of a path. A dangling link resolves to its missing target, and two names of
   * one file resolve to the same path.
   */
  public static Path followed(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    try {
      for (int hop = 0; hop < MOST_LINKS && !Files.exists(absolute); hop++) {
        if (!Files.isSymbolicLink(absolute)) {
          return absolute;
        }
        absolute = absolute.resolveSibling(Files.readSymbolicLink(absolute)).normalize();
      }
      return absolute.toRealPath();
    } catch (IOException e) {
      return absolute;
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
    } else if (e instanceof FileSystemException system && system.getReason() != null) {
      text = system.getReason(); // without the names of temporary files
    }
    return text.endsWith(".") ? text : text + ".";
  }

  /**
   * Fails now where a file is known to be impossible to write at the end of the work.
   *
   * @throws InvalidRequestException where the path makes no sense: a folder, or in none
   * @throws UncheckedIOException where the right to write is missing
   */
  public static void requireWritable(Path file) {
    if (Files.isDirectory(file)) {
      throw new InvalidRequestException(file + " is a folder, expected the name of a file.");
    }
    boolean device = Files.exists(file) && !Files.isRegularFile(file);
    Path folder = followed(file).getParent();
    if (!device && (folder == null || !Files.isDirectory(folder))) {
      throw new InvalidRequestException(
          file + " cannot be written: there is no folder " + folder + ".");
    }
    if (!Files.isWritable(device ? file : folder)) {
      throw new UncheckedIOException(new IOException(file + ": cannot be written: access denied."));
    }
  }
}
