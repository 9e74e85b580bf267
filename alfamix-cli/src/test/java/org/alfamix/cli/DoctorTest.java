package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.math.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir private Path folder;

  private static String line(CommandOutcome outcome, String topic) {
    return outcome.out().lines().filter(each -> each.startsWith(topic)).findFirst().orElse("");
  }

  @Test
  void reportsTheInstallation() throws IOException {
    Files.write(Files.createDirectory(folder.resolve("data")).resolve("a"), new byte[3 << 20]);
    CommandOutcome outcome =
        CommandOutcome.of("doctor", "--data-dir", folder.resolve("data").toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(line(outcome, "Java").contains(System.getProperty("java.version")), outcome.out());
    assertEquals(Kernels.description(), line(outcome, "kernels").substring(17));
    assertTrue(line(outcome, "networks").contains("libtorch 2."), outcome.out());
    assertTrue(line(outcome, "GPU").length() > 17, outcome.out());
    assertEquals("installed", line(outcome, "Parquet, SQL").substring(17));
    assertEquals("installed", line(outcome, "texts, ONNX").substring(17));
    assertEquals("installed", line(outcome, "videos").substring(17));
    assertTrue(line(outcome, "data folder").contains("3 MB used, "), outcome.out());
    assertTrue(line(outcome, "plug-ins").contains("none"), outcome.out());
  }

  @Test
  void onlyLooks() {
    CommandOutcome outcome =
        CommandOutcome.of("doctor", "--data-dir", folder.resolve("none").toString());
    assertTrue(line(outcome, "data folder").contains("does not exist yet"), outcome.out());
    assertFalse(Files.exists(folder.resolve("none")), "it only looks");
  }
}
