package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes that start at once on a machine without unpacked native libraries. */
class NativeCacheTest {
  private static final int PROCESSES = 4;

  @TempDir private Path folder;

  /** Exits with 0 if libtorch was unpacked and loaded and responds. */
  static final class FirstStart {
    public static void main(String[] args) {
      Torch.load();
      System.exit(Torch.device("cpu").is_cpu() ? 0 : 1);
    }
  }

  private Process start(int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dorg.bytedeco.javacpp.cachedir=" + folder.resolve("cache"),
            "-XX:ErrorFile=" + folder.resolve("crash-" + number),
            "-XX:-CreateCoredumpOnCrash",
            "-cp",
            System.getProperty("java.class.path"),
            FirstStart.class.getName())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output-" + number).toFile())
        .start();
  }

  @Tag("slow")
  @Test
  void unpacksInOneProcessAtATime() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int p = 0; p < PROCESSES; p++) {
      processes.add(start(p));
    }
    for (Process process : processes) {
      process.waitFor(5, TimeUnit.MINUTES);
    }
    for (Process process : processes) {
      assertEquals(0, process.exitValue());
    }
  }
}
