package org.alfamix.data;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.alfamix.data.AtomicFile.PathWriter;
import org.alfamix.data.AtomicFile.StreamWriter;

/**
 * Files that appear together: each is written under a temporary name beside its place, and {@link
 * #commit} moves all of them into place. Without a commit, everything stays as it was.
 *
 * <p>A file that is replaced keeps its permissions, and a link stays a link. A path that is no
 * regular file, such as a pipe or {@code /dev/stdout}, is written to at once.
 */
public final class AtomicFiles implements AutoCloseable {
  /** Where each temporary file goes, and the name by which the user knows that place. */
  private final Map<Path, Target> targets = new LinkedHashMap<>();

  private record Target(Path place, Path name) {}

  /** Writes a file through a stream. */
  public void write(Path file, StreamWriter writer) {
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
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        writer.write(file);
        return;
      }
      Path place = AtomicFile.followed(file);
      if (Files.isSymbolicLink(place)) {
        throw new IOException("its links lead in a circle");
      }
      Path temporary =
          place.resolveSibling(
              "." + place.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
      targets.put(temporary, new Target(place, file));
      createLike(place, temporary);
      writer.write(temporary);
      force(temporary);
    } catch (IOException e) {
      throw cannotBeWritten(file, e);
    }
  }

  /** Moves all files into place. */
  public void commit() {
    for (Map.Entry<Path, Target> each : targets.entrySet()) {
      Path temporary = each.getKey();
      Path place = each.getValue().place();
      try {
        copyPermissions(place, temporary);
        try {
          Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
          Files.move(temporary, place, StandardCopyOption.REPLACE_EXISTING);
        }
      } catch (IOException e) {
        throw cannotBeWritten(each.getValue().name(), e);
      }
    }
    targets.clear();
  }

  private static UncheckedIOException cannotBeWritten(Path file, IOException e) {
    return new UncheckedIOException(file + ": cannot be written: " + AtomicFile.reason(e), e);
  }

  /** From the first byte on nobody may read it who may not read the file that it replaces. */
  private static void createLike(Path place, Path temporary) throws IOException {
    Set<PosixFilePermission> permissions = permissions(place);
    if (permissions != null) {
      Files.deleteIfExists(temporary);
      Files.createFile(temporary, PosixFilePermissions.asFileAttribute(permissions));
    }
  }

  /** Once more at the end: a writer may have put another file in place of the temporary one. */
  private static void copyPermissions(Path place, Path temporary) throws IOException {
    Set<PosixFilePermission> permissions = permissions(place);
    if (permissions != null) {
      Files.setPosixFilePermissions(temporary, permissions);
    }
  }

  /** Null where there is no such file, or its file system has no permissions. */
  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    try {
      return Files.exists(file) ? Files.getPosixFilePermissions(file) : null;
    } catch (UnsupportedOperationException e) {
      return null;
    }
  }

  /** A name must not lead to what is not on the disk yet, should the power fail. */
  private static void force(Path temporary) throws IOException {
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Deletes what was not moved into place. */
  @Override
  public void close() {
    for (Path temporary : targets.keySet()) {
      try {
        Files.deleteIfExists(temporary);
      } catch (IOException e) {
        // What went wrong before this is what counts.
      }
    }
  }
}
