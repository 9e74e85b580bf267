package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a program logs that uses alfamix with and without the flag for the vector module. */
class KernelFallbackTest {
  private static final String VECTOR = "--add-modules=jdk.incubator.vector";

  /** The program, which runs in a process of its own. */
  static final class Program {
    public static void main(String[] args) {
      float[] ones = {1, 1, 1};
      System.out.println(Kernels.dot(ones, ones) + Kernels.dot(ones, ones));
      System.out.println(Kernels.description());
    }
  }

  @Test
  void aMissingVectorModuleIsReportedOnce() throws Exception {
    String out = run();
    assertTrue(out.contains("6.0"), out);
    assertTrue(out.contains("scalar"), out);
    assertEquals(2, out.split("three to twelve times as slow").length, out);
    assertTrue(out.contains("Java was started without " + VECTOR + "."), out);
    assertTrue(out.contains("-Dalfamix.kernels=scalar"), out);
  }

  @Test
  void requestedScalarKernelsAreNotReported() throws Exception {
    String out = run("-Dalfamix.kernels=scalar");
    assertEquals(List.of("6.0", "scalar"), out.lines().toList());
  }

  @Test
  void vectorKernelsAreNotReported() throws Exception {
    String out = run(VECTOR);
    assertTrue(out.contains("vector ("), out);
    assertTrue(!out.contains("times as slow"), out);
  }

  private static String run(String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of(flags));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Program.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }
}
