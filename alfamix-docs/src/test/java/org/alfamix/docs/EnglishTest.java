package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps phrases of a former style, other spellings and long lines from coming back. */
class EnglishTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PHRASES = Path.of("src/test/resources/org/alfamix/docs/phrases.txt");
  private static final int MAX_LINE_LENGTH = 120;
  private static final int README_WORDS = 900;

  private static final Set<String> KINDS =
      Set.of(
          "java",
          "md",
          "yaml",
          "jte",
          "properties",
          "html",
          "js",
          "css",
          "sql",
          "xml",
          "bat",
          "sh",
          "py",
          "args");

  /** Files that quote the phrases, and folders that hold no prose. */
  private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", "runs", "recorded");

  private static final Set<String> SKIPPED_FILES = Set.of("EnglishTest.java", "phrases.txt");

  /** Oxford spelling: -ize, -our, -re, and doubled consonants. */
  private static final Pattern OTHER_SPELLING =
      Pattern.compile(
          "\\b(un|re|de)?(normalis|standardis|initialis|optimis|recognis|organis|serialis|minimis|maximis"
              + "|generalis|summaris|visualis|parallelis(e|ing|ation)|tokenis|randomis|utilis|specialis|categoris"
              + "|characteris|quantis|regularis|synchronis|finalis|prioritis|memoris|emphasis(e|ing)"
              + "|labeled|labeling|unlabeled|labeler|neighbor|behavior|favorite|modeled|modeling"
              + "|canceled|canceling|traveled|artefact|analyz)\\w*",
          Pattern.CASE_INSENSITIVE);

  /** Former spellings of options and keys, and the only files that may contain them. */
  private static final Set<String> FORMER_SPELLINGS =
      Set.of("standardise", "optimiser", "initialisation");

  private static final Set<String> FILES_WITH_FORMER_SPELLINGS =
      Set.of(
          "CHANGELOG.md",
          "Checkpoint.java",
          "FormerKeys.java",
          "SettingsTest.java",
          "settings.md",
          "TrainCommand.java",
          "TrainTest.java",
          "TrainingFlags.java");

  /** American spellings that are also names in CSS, SVG and the JDK: checked in Markdown only. */
  private static final Pattern OTHER_SPELLING_IN_MARKDOWN =
      Pattern.compile(
          "\\b(colors?|colored|gray|center(s|ed)?|meters?|catalog)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern JAVA_PROSE =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'"
              + "|/\\*(?s:.*?)\\*/|//[^\\n]*");

  /** A piece of text with its position. */
  private record Prose(String place, String text) {}

  private record Phrase(Pattern pattern, String suggestion) {}

  private static List<Phrase> phrases() throws IOException {
    List<Phrase> phrases = new ArrayList<>();
    for (String line : Files.readAllLines(PHRASES)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" -> ", 2);
        assertEquals(2, parts.length, line);
        phrases.add(new Phrase(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]));
      }
    }
    return phrases;
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    collect(ROOT, files);
    return files;
  }

  private static void collect(Path folder, List<Path> files) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(folder)) {
      entries = all.sorted().toList();
    }
    for (Path entry : entries) {
      String name = entry.getFileName().toString();
      if (Files.isDirectory(entry)) {
        if (!SKIPPED_FOLDERS.contains(name)) {
          collect(entry, files);
        }
      } else if (!SKIPPED_FILES.contains(name) && isProse(name)) {
        files.add(entry);
      }
    }
  }

  private static boolean isProse(String name) {
    return KINDS.contains(name.substring(name.lastIndexOf('.') + 1))
        || Set.of("alfamix", "run", "commands", "NOTICE").contains(name);
  }

  /** Returns the comments and strings of a Java file, or the lines of another one. */
  private static List<Prose> prose(Path file) throws IOException {
    String text = Files.readString(file);
    List<Prose> prose = new ArrayList<>();
    String name = ROOT.relativize(file).toString();
    if (name.endsWith(".java")) {
      Matcher matcher = JAVA_PROSE.matcher(text);
      while (matcher.find()) {
        prose.add(new Prose(name + ":" + line(text, matcher.start()), join(matcher.group())));
      }
    } else {
      // Phrases may continue on the next line, so paragraphs are looked at as a whole.
      int start = 0;
      for (String paragraph : text.split("\\n\\s*\\n")) {
        int at = text.indexOf(paragraph, start);
        prose.add(new Prose(name + ":" + line(text, at), join(paragraph)));
        start = at + paragraph.length();
      }
    }
    return prose;
  }

  private static String join(String text) {
    return text.replaceAll("\\s*\\n\\s*(\\*(?!/)|//|#)?\\s*", " ");
  }

  private static long line(String text, int at) {
    return 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
  }

  @Test
  void theListHasAtLeastSixtyPhrases() throws IOException {
    assertTrue(phrases().size() >= 60);
  }

  @Test
  void filesContainNoForbiddenPhrase() throws IOException {
    List<Phrase> phrases = phrases();
    List<String> found = new ArrayList<>();
    for (Path file : files()) {
      for (Prose prose : prose(file)) {
        for (Phrase phrase : phrases) {
          Matcher matcher = phrase.pattern().matcher(prose.text());
          if (matcher.find()) {
            found.add(
                "%s: '%s'; write: %s"
                    .formatted(prose.place(), matcher.group(), phrase.suggestion()));
          }
        }
      }
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void spellingIsOxfordEverywhere() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files()) {
      String name = ROOT.relativize(file).toString();
      // Identifiers count as words, too: they are cut where a capital begins.
      String text =
          ownWords(Files.readString(file)).replaceAll("(?<=[a-z])(?=[A-Z])", " ").replace('_', ' ');
      add(found, name, text, OTHER_SPELLING);
      if (name.endsWith(".md")) {
        add(found, name, text.replaceAll("`[^`\\n]*`|<[^>]*>", ""), OTHER_SPELLING_IN_MARKDOWN);
      }
    }
    assertEquals("", String.join("\n", found));
  }

  /** Removes what others have named: a title, and folders of data sets. */
  private static String ownWords(String text) {
    return text.replace("A new active labeling method for deep learning", "")
        .replace("\"unlabeled\"", "")
        .replace("org.tribuo.math.optimisers", "");
  }

  private static void add(List<String> found, String name, String text, Pattern pattern) {
    Matcher matcher = pattern.matcher(text);
    boolean formerAllowed =
        FILES_WITH_FORMER_SPELLINGS.contains(name.substring(name.lastIndexOf('/') + 1));
    while (matcher.find()) {
      if (!(formerAllowed && FORMER_SPELLINGS.contains(matcher.group()))) {
        found.add("%s:%d: '%s'".formatted(name, line(text, matcher.start()), matcher.group()));
      }
    }
  }

  @Test
  void linesOfMarkdownAreAtMost120CharactersLong() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files()) {
      if (!file.toString().endsWith(".md")) {
        continue;
      }
      boolean code = false;
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        if (line.startsWith("```")) {
          code = !code;
        }
        // Rows of tables, comments, images and literal output cannot be broken.
        boolean breakable = !code && !line.matches("(\\||<!--|!\\[).*");
        if (breakable && line.length() > MAX_LINE_LENGTH && line.strip().contains(" ")) {
          found.add("%s:%d: %d characters".formatted(ROOT.relativize(file), number, line.length()));
        }
      }
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void theReadmeIsShort() throws IOException {
    String text = Files.readString(ROOT.resolve("README.md"));
    long words =
        text.lines()
            .filter(line -> !line.startsWith("|"))
            .flatMap(line -> Stream.of(line.split("\\s+")))
            .filter(word -> word.matches(".*[\\p{L}\\p{N}].*"))
            .count();
    assertTrue(words <= README_WORDS, "the README has " + words + " words");
  }

  @Test
  void headingsAreNotQuestions() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : files()) {
      if (file.toString().endsWith(".md")) {
        Files.readAllLines(file).stream()
            .filter(line -> line.matches("#+ .*\\?"))
            .forEach(line -> found.add(ROOT.relativize(file) + ": " + line));
      }
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void findsAPhraseAcrossLines() throws IOException {
    String comment = join("/** The data\n   * cannot be\n   * had here. */");
    assertTrue(
        phrases().stream().anyMatch(phrase -> phrase.pattern().matcher(comment).find()), comment);
    assertTrue(OTHER_SPELLING.matcher("normalised").find());
    assertFalse(OTHER_SPELLING.matcher("normalized".toLowerCase(Locale.ROOT)).find());
  }
}
