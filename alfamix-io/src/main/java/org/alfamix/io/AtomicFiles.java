package org.alfamix.io;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alfamix.io.AtomicFile.PathWriter;
import org.alfamix.io.AtomicFile.StreamWriter;

/**
 * Writes several files atomically: each is written under a temporary name in its folder, and {@link
 * #commit} moves all of them into place. Without a commit, existing files remain unchanged.
 *
 * <p>A replaced file keeps its permissions, and a symbolic link remains one. A path that is not a
 * regular file, such as a pipe or {@code /dev/stdout}, is written once all files are complete, just
 * before they are moved. If a file cannot be moved into place, the others are restored.
 */
public final class AtomicFiles implements AutoCloseable {
  /** The target of each temporary file: its resolved path, and the path that the user specified. */
  private final Map<Path, Target> targets = new LinkedHashMap<>();

  private record Target(Path place, Path name) {}

  private final List<Runnable> streams = new ArrayList<>();

  /** Names of standard output. Opening it again would overwrite what was printed. */
  private static final Set<String> STANDARD_OUTPUT =
      Set.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");

  /** Writes a file through a stream. */
  public void write(Path file, StreamWriter writer) {
    if (STANDARD_OUTPUT.contains(file.toString())) {
      streams.add(() -> writeTo(file, path -> writeToStandardOutput(writer)));
      return;
    }
    writePath(
        file,
        temporary -> {
          try (OutputStream out =
              new BufferedOutputStream(Files.newOutputStream(temporary), 1 << 16)) {
            writer.write(out);
          }
        });
  }

  /** Writes a file by its path. */
  public void writePath(Path file, PathWriter writer) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      streams.add(() -> writeTo(file, writer));
      return;
    }
    try {
      Path place = AtomicFile.resolveLinks(file);
      if (Files.isSymbolicLink(place)) {
        throw new IOException("its symbolic links form a cycle");
      }
      Path temporary = temporarySibling(place, ".tmp");
      targets.put(temporary, new Target(place, file));
      createLike(place, temporary);
      writer.write(temporary);
      force(temporary);
    } catch (IOException e) {
      throw cannotBeWritten(file, e);
    }
  }

  private static void writeTo(Path file, PathWriter writer) {
    try {
      writer.write(file);
    } catch (IOException e) {
      throw cannotBeWritten(file, e);
    }
  }

  private static void writeToStandardOutput(StreamWriter writer) throws IOException {
    System.out.flush();
    // Not closed: standard output belongs to the process.
    OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
    writer.write(out);
    out.flush();
  }

  /** Moves all files into place. */
  public void commit() {
    streams.forEach(Runnable::run);
    streams.clear();
    Deque<Undo> moved = new ArrayDeque<>();
    for (Map.Entry<Path, Target> each : targets.entrySet()) {
      try {
        moved.push(replace(each.getKey(), each.getValue().place()));
      } catch (IOException e) {
        moved.forEach(Undo::run);
        throw cannotBeWritten(each.getValue().name(), e);
      }
    }
    moved.forEach(Undo::discard);
    targets.clear();
  }

  /** Moves a temporary file into place and returns the action that undoes it. */
  private Undo replace(Path temporary, Path place) throws IOException {
    // A single move is atomic, so it needs no backup.
    Undo undo = new Undo(place, targets.size() > 1 ? backup(place) : null);
    try {
      copyPermissions(place, temporary);
      move(temporary, place);
      return undo;
    } catch (IOException e) {
      undo.discard();
      throw e;
    }
  }

  /**
   * Restores the file that was replaced, or deletes a new one.
   *
   * @param backup a hard link to the replaced file; null if there was none
   */
  private record Undo(Path place, Path backup) {
    void run() {
      try {
        if (backup == null) {
          Files.deleteIfExists(place);
        } else {
          move(backup, place);
        }
      } catch (IOException e) {
        // The original failure is reported instead.
      }
    }

    void discard() {
      try {
        if (backup != null) {
          Files.deleteIfExists(backup);
        }
      } catch (IOException e) {
        // The link remains; no content is lost.
      }
    }
  }

  /** Creates a link to a file before it is replaced; returns null if the file does not exist. */
  private static Path backup(Path place) throws IOException {
    if (!Files.exists(place)) {
      return null;
    }
    Path backup = temporarySibling(place, ".old");
    Files.deleteIfExists(backup);
    try {
      return Files.createLink(backup, place);
    } catch (UnsupportedOperationException | FileSystemException e) {
      return Files.copy(place, backup, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static Path temporarySibling(Path place, String ending) {
    return place.resolveSibling(
        "." + place.getFileName() + "." + ProcessHandle.current().pid() + ending);
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static UncheckedIOException cannotBeWritten(Path file, IOException e) {
    return new UncheckedIOException(file + ": cannot be written: " + AtomicFile.reason(e), e);
  }

  /** Creates the temporary file with the permissions of the file that it will replace. */
  private static void createLike(Path place, Path temporary) throws IOException {
    Set<PosixFilePermission> permissions = permissions(place);
    if (permissions != null) {
      Files.deleteIfExists(temporary);
      Files.createFile(temporary, PosixFilePermissions.asFileAttribute(permissions));
    }
  }

  /** Sets the permissions again, because a writer may have recreated the temporary file. */
  private static void copyPermissions(Path place, Path temporary) throws IOException {
    Set<PosixFilePermission> permissions = permissions(place);
    if (permissions != null) {
      Files.setPosixFilePermissions(temporary, permissions);
    }
  }

  /** Returns null if the file does not exist or its file system has no POSIX permissions. */
  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    try {
      return Files.exists(file) ? Files.getPosixFilePermissions(file) : null;
    } catch (UnsupportedOperationException e) {
      return null;
    }
  }

  /** Flushes the content to disk, so that a power failure cannot leave a name without content. */
  private static void force(Path temporary) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Deletes temporary files that were not moved into place. */
  @Override
  public void close() {
    for (Path temporary : targets.keySet()) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // An earlier failure matters more than a remaining temporary file.
      }
    }
  }
}
