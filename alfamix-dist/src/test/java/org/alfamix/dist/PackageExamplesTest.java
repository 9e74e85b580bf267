package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every exported package has an example in its documentation, and all examples compile. */
class PackageExamplesTest {
  private static final List<String> MODULES = List.of("core", "io", "select", "datasets", "learn");

  /** Variables that the examples use. */
  private static final String VARIABLES =
      "FloatMatrix pool, FloatMatrix labelled, int[] labels, Snapshot snapshot,"
          + " Selection selection, Path folder";

  @TempDir private Path folder;

  private record Package(String module, String name) {
    Path sources() {
      return Path.of("..", "alfamix-" + module, "src/main/java", name.replace('.', '/'));
    }
  }

  /** Returns the packages that a module exports to everyone. */
  private static List<Package> exported() throws IOException {
    List<Package> packages = new ArrayList<>();
    for (String module : MODULES) {
      String descriptor =
          Files.readString(Path.of("..", "alfamix-" + module, "src/main/java/module-info.java"));
      Matcher exports = Pattern.compile("exports ([\\w.]+);").matcher(descriptor);
      while (exports.find()) {
        packages.add(new Package(module, exports.group(1)));
      }
    }
    return packages;
  }

  @Test
  void examplesOfAllExportedPackagesCompile() throws IOException {
    List<Package> packages = exported();
    assertTrue(packages.size() >= 15, packages.toString());
    String imports =
        packages.stream()
            .map(each -> "import " + each.name() + ".*;\n")
            .collect(Collectors.joining());
    StringBuilder source = new StringBuilder(imports);
    source.append("import java.nio.file.*;\nimport java.util.*;\nclass Examples {\n");
    for (Package each : packages) {
      String text = Files.readString(each.sources().resolve("package-info.java"));
      assertTrue(text.contains("@since "), each.name() + " has no @since");
      Matcher example = Pattern.compile("(?s)<pre>\\{@code\\n(.*?) \\* }</pre>").matcher(text);
      assertTrue(example.find(), each.name() + " has no example");
      String code = example.group(1).replaceAll("(?m)^ \\* ?", "");
      if (code.contains(";")) { // the example of plug-ins is a file of services
        source.append(
            "  void %s(%s) throws Exception {\n%s}\n"
                .formatted(each.name().replace('.', '_'), VARIABLES, code));
      }
    }
    Path file = Files.writeString(folder.resolve("Examples.java"), source.append("}\n"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    boolean compiled =
        compiler
            .getTask(
                errors,
                null,
                null,
                List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file.toFile()))
            .call();
    assertEquals("", errors.toString());
    assertTrue(compiled);
  }
}
