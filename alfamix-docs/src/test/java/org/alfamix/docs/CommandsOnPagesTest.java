package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.command.ExitCode;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

/**
 * Every command in a code block of the documentation has known options with valid values. Other
 * tests run most of them; this one also covers those that need photos, videos or a cluster.
 */
class CommandsOnPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern WORD =
      Pattern.compile("(?:'[^']*'|\"[^\"]*\"|\\\\.|[^\\s'\"\\\\|;&>#]|(?<=\\S)#)+");

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      // The generated page has synopses rather than commands.
      files
          .filter(file -> file.toString().endsWith(".md") && !file.endsWith("commands.md"))
          .forEach(pages::add);
    }
    Stream.of("README.md", "CONTRIBUTING.md", "examples/README.md", "SECURITY.md")
        .map(ROOT::resolve)
        .forEach(pages::add);
    return pages;
  }

  /** Returns the commands in code blocks, with continued lines joined. */
  private static List<String> commands(Path page) throws IOException {
    List<String> commands = new ArrayList<>();
    boolean code = false;
    StringBuilder continued = new StringBuilder();
    for (String line : Files.readAllLines(page)) {
      if (line.strip().startsWith("```")) {
        code = !code;
        continue;
      }
      if (!code) {
        continue;
      }
      continued.append(line.replaceFirst("\\\\$", " "));
      if (!line.endsWith("\\")) {
        String whole = continued.toString().strip().replaceFirst("^([A-Z_]+=\\S+ )+", "");
        if (whole.matches("(\\./|bin/)?alfamix (?!reaches )[a-z-].*")) {
          commands.add(whole.replaceFirst("\\S+ ", ""));
        }
        continued.setLength(0);
      }
    }
    return commands;
  }

  /** Splits the first command of a line into words, as a shell does. */
  private static String[] words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    int end = 0;
    while (matcher.find()) {
      if (!command.substring(end, matcher.start()).isBlank()) {
        break; // a comment, a pipe or a redirection
      }
      words.add(matcher.group().replaceAll("['\"]", "").replaceAll("\\\\(.)", "$1"));
      end = matcher.end();
    }
    return words.toArray(String[]::new);
  }

  @Test
  void wordsAreSplitAsInAShell() {
    assertEquals(
        List.of("select", "--a", "x y", "--b=1,2"),
        List.of(words("select --a 'x y' --b=\"1,2\"   # a comment")));
    assertEquals(List.of("strategies"), List.of(words("strategies | head -n 1")));
  }

  @Test
  void everyCommandHasKnownOptionsAndValidValues() throws IOException {
    TreeSet<String> wrong = new TreeSet<>();
    int parsed = 0;
    for (Path page : pages()) {
      for (String command : commands(page)) {
        if (command.contains("...") || command.contains("…") || command.contains("smallest-norm")) {
          continue; // abbreviated, or of a plug-in
        }
        parsed++;
        try {
          CommandReference.commandLine().parseArgs(words(command));
        } catch (ParameterException e) {
          wrong.add(ROOT.relativize(page) + ": " + command + ": " + e.getMessage());
        }
      }
    }
    assertTrue(parsed > 100, "commands: " + parsed);
    assertEquals("", String.join("\n", wrong));
  }

  @Test
  void exitCodesAreDocumented() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/reference/exit-codes.md"));
    TreeSet<String> documented =
        Pattern.compile("(?m)^\\| (\\d) \\|")
            .matcher(page)
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    TreeSet<String> defined = new TreeSet<>();
    for (Field field : ExitCode.class.getFields()) {
      defined.add(String.valueOf(field.getInt(null)));
    }
    assertEquals(defined, documented);
  }
}
