package org.alfamix.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir private Path folder;

  @BeforeEach
  void requirePosixPermissions() {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
  }

  private static void write(Path file, String text) {
    AtomicFile.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
  }

  private long entries() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }

  @Test
  void keepsThePermissionsOfAReplacedFile() throws IOException {
    for (String mode : new String[] {"rw-------", "rw-rw----", "rwxr-xr-x"}) {
      Path file = folder.resolve("secret");
      write(file, "old");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      AtomicFile.writePath(
          file,
          temporary -> {
            assertEquals(
                mode.substring(0, 3),
                PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary))
                    .substring(0, 3));
            assertFalse(
                mode.endsWith("---")
                    && PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary))
                        .endsWith("r--"),
                "others can read it while it is written");
            // DuckDB also replaces the temporary file by another one.
            Files.delete(temporary);
            Files.writeString(temporary, "new");
          });
      assertEquals(mode, PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
      assertEquals("new", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void writesThroughLinksWithAndWithoutATarget() throws IOException {
    Path target = folder.resolve("target");
    Path middle = Files.createSymbolicLink(folder.resolve("middle"), Path.of("target"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), middle);
    for (String text : new String[] {"first", "second"}) {
      write(link, text);
      assertTrue(Files.isSymbolicLink(link) && Files.isSymbolicLink(middle));
      assertEquals(text, Files.readString(target));
    }
  }

  @Test
  void rejectsACycleOfLinks() throws IOException {
    Path one = folder.resolve("one");
    Files.createSymbolicLink(one, Path.of("two"));
    Files.createSymbolicLink(folder.resolve("two"), Path.of("one"));
    assertThrows(UncheckedIOException.class, () -> write(one, "x"));
    assertTrue(Files.isSymbolicLink(one));
    assertEquals(2, entries());
  }

  /** A folder created in place of a file is detected only when the file is moved. */
  @Test
  void restoresMovedFilesIfAnotherCannotBeMoved() throws IOException {
    Path fresh = folder.resolve("fresh");
    Path old = folder.resolve("old");
    Path blocked = folder.resolve("blocked");
    write(old, "old");
    assertThrows(
        UncheckedIOException.class,
        () -> {
          try (AtomicFiles files = new AtomicFiles()) {
            files.write(fresh, out -> out.write('x'));
            files.write(old, out -> out.write('x'));
            files.write(blocked, out -> out.write('x'));
            Files.createDirectory(blocked);
            Files.createFile(blocked.resolve("entry"));
            files.commit();
          }
        });
    assertFalse(Files.exists(fresh));
    assertEquals("old", Files.readString(old));
    assertEquals(2, entries(), "no other file remains");
  }

  @Test
  void writesStreamsAfterAllFilesAreComplete() throws Exception {
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    assertThrows(
        UncheckedIOException.class,
        () -> {
          try (AtomicFiles files = new AtomicFiles()) {
            // The pipe has no reader: opening it for writing would block forever.
            files.write(pipe, out -> out.write('x'));
            files.write(
                folder.resolve("full"),
                out -> {
                  throw new IOException("No space left on device");
                });
            files.commit();
          }
        });
    assertEquals(1, entries());
  }

  @Test
  void writesAllFilesOrNone() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    write(second, "old");
    assertThrows(
        UncheckedIOException.class,
        () -> {
          try (AtomicFiles files = new AtomicFiles()) {
            files.write(first, out -> out.write(1));
            files.write(
                second,
                out -> {
                  out.write(1);
                  throw new IOException("No space left on device");
                });
            files.commit();
          }
        });
    assertFalse(Files.exists(first));
    assertEquals("old", Files.readString(second));
    assertEquals(1, entries(), "no temporary file remains");
  }
}
