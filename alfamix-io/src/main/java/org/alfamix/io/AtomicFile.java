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

/** Writes files atomically: a file appears only when it is complete. */
public final class AtomicFile {
  private static final int MAX_LINKS = 40;

  private AtomicFile() {}

  /** Writes to a given path. */
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
   * Writes files that belong together. If writing fails, existing files remain unchanged.
   *
   * @param folder the folder of the files; it must exist
   */
  public static void writeAll(Path folder, Map<String, StreamWriter> files) {
    try (AtomicFiles all = new AtomicFiles()) {
      for (Map.Entry<String, StreamWriter> file : files.entrySet()) {
        Path target = folder.resolve(file.getKey());
        try {
          requireWritable(target);
        } catch (InvalidRequestException e) {
          throw new UncheckedIOException(e.getMessage(), new IOException(e));
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
  public static Path resolveLinks(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    try {
      for (int hop = 0; hop < MAX_LINKS && !Files.exists(absolute); hop++) {
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

  /** Returns the reason of a write failure. The message of many exceptions is only a path. */
  public static String reason(IOException e) {
    String text = String.valueOf(e.getMessage());
    if (e instanceof AccessDeniedException) {
      text = "access denied";
    } else if (e instanceof FileAlreadyExistsException) {
      text = "a file of that name exists";
    } else if (e instanceof NoSuchFileException) {
      text = "no such folder";
    } else if (e instanceof FileSystemException system && system.getReason() != null) {
      text = system.getReason(); // without the names of temporary files
    }
    return text.endsWith(".") ? text : text + ".";
  }

  /**
   * Checks that a file can be written, so that long work does not fail only at its end.
   *
   * @throws InvalidRequestException if the path is a folder, or its parent folder does not exist
   * @throws UncheckedIOException if write permission is missing
   */
  public static void requireWritable(Path file) {
    if (Files.isDirectory(file)) {
      throw new InvalidRequestException(file + " is a folder; expected a file name.");
    }
    boolean device = Files.exists(file) && !Files.isRegularFile(file);
    Path folder = resolveLinks(file).getParent();
    if (!device && (folder == null || !Files.isDirectory(folder))) {
      throw new InvalidRequestException(
          file + " cannot be written: the folder " + folder + " does not exist.");
    }
    if (!Files.isWritable(device ? file : folder)) {
      throw new UncheckedIOException(new IOException(file + ": cannot be written: access denied."));
    }
  }
}
