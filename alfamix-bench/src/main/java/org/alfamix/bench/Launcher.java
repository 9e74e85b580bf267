package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs a command from the shell, like a user, and reads its manifest. */
record Launcher(Path script) {

  /**
   * The result of one run.
   *
   * @param seconds the duration from the start of the shell to its end
   */
  record Run(double seconds, String manifest) {

    /** Returns a number of the manifest by its key. */
    double number(String key) {
      Matcher matcher = Pattern.compile("\"" + key + "\" : ([-0-9.E]+)").matcher(manifest);
      if (!matcher.find()) {
        throw new IllegalStateException("The manifest does not contain " + key + ": " + manifest);
      }
      return Double.parseDouble(matcher.group(1));
    }

    /** Returns a text of the manifest by its key; empty if it is missing. */
    String text(String key) {
      Matcher matcher = Pattern.compile("\"" + key + "\" : \"([^\"]*)\"").matcher(manifest);
      return matcher.find() ? matcher.group(1) : "";
    }

    /** Returns the phases of the selection, such as {@code scan 0.1 s, …}. */
    String phases() {
      List<String> phases = new ArrayList<>();
      seconds("phases")
          .forEach((name, time) -> phases.add(String.format(Locale.ROOT, "%s %.2f s", name, time)));
      return String.join(", ", phases);
    }

    /** Returns the numbers of an object of the manifest by their keys, in order. */
    Map<String, Double> seconds(String key) {
      Map<String, Double> result = new LinkedHashMap<>();
      Matcher object =
          Pattern.compile("\"" + key + "\" : \\{([^}]*)\\}", Pattern.DOTALL).matcher(manifest);
      if (object.find()) {
        Matcher entry = Pattern.compile("\"([\\w ]+)\" : ([0-9.E-]+)").matcher(object.group(1));
        while (entry.find()) {
          result.put(entry.group(1), Double.parseDouble(entry.group(2)));
        }
      }
      return result;
    }
  }

  /** Runs {@code select} with these options and a manifest. */
  Run select(Path folder, String javaOptions, List<String> options) throws IOException {
    return run(folder, javaOptions, List.of("select"), options);
  }

  /** Runs a command that writes a manifest. */
  Run run(Path folder, String javaOptions, List<String> name, List<String> options)
      throws IOException {
    Path manifest = folder.resolve("manifest.json");
    List<String> command = new ArrayList<>(List.of(script.toAbsolutePath().toString()));
    command.addAll(name);
    command.addAll(options);
    command.addAll(List.of("--manifest", manifest.toString()));
    long start = System.nanoTime();
    ChildProcess.run(command, javaOptions.isEmpty() ? Map.of() : Map.of("JAVA_OPTS", javaOptions));
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Run(seconds, Files.readString(manifest));
  }
}
