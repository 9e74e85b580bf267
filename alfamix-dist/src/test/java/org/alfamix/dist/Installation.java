package org.alfamix.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Unpacked zips, whose commands run without the environment of this process.
 *
 * @param folder the folder of the installation, in which commands run
 * @param home the folder with {@code bin} and {@code lib}
 */
record Installation(Path folder, Path home) {

  /** The exit code and all output of a command. */
  record Outcome(int code, String out) {}

  /** Unpacks zips over each other into an empty folder. */
  static Installation unpack(Path folder, String... zips) throws IOException {
    for (String zip : zips) {
      unpackInto(folder, zip);
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return new Installation(folder, entries.findFirst().orElseThrow().toAbsolutePath());
    }
  }

  static void unpackInto(Path folder, String file) throws IOException {
    try (ZipFile zip = new ZipFile(file)) {
      for (Enumeration<? extends ZipEntry> e = zip.entries(); e.hasMoreElements(); ) {
        ZipEntry entry = e.nextElement();
        Path target = folder.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, target);
          }
        }
      }
    }
  }

  /** Runs alfamix with PATH, JAVA_HOME and these variables as its only environment. */
  Outcome run(Map<String, String> variables, String... args)
      throws IOException, InterruptedException {
    // Unpacking with Java does not set the execute permission, which bash does not need.
    List<String> command = new ArrayList<>(List.of("bash", home + "/bin/alfamix"));
    command.addAll(List.of(args));
    return run(command, variables, folder);
  }

  /** Runs a command with PATH, JAVA_HOME and these variables as its only environment. */
  static Outcome run(List<String> command, Map<String, String> variables, Path folder)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    String path = environment.get("PATH");
    environment.clear();
    environment.put("PATH", path);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), out);
  }
}
