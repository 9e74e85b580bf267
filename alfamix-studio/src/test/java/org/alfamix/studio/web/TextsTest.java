package org.alfamix.studio.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.strategy.Strategies;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.store.Change;
import org.junit.jupiter.api.Test;

class TextsTest {
  private static final Path MESSAGES =
      Path.of("src/main/resources/org/alfamix/studio/web/messages.properties");
  private static final Path TEMPLATES = Path.of("src/main/jte");
  private static final Path ENGINE = Path.of("src/main/java/org/alfamix/studio/engine");
  private static final Path CLASSES = Path.of("src/main/java/org/alfamix/studio/web");

  @Test
  void replacesPlaceholdersOnceAndInAnyOrder() {
    assertEquals("{1}: b.", Texts.ENGLISH.get("status.answer", "{1}", "b"));
    assertEquals("item 7", Texts.ENGLISH.get("item", 7));
  }

  @Test
  void namesAMissingText() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Texts.ENGLISH.get("no.such.text"))
            .getMessage();
    assertTrue(message.contains("no.such.text"), message);
  }

  /** Every text that a template or a class uses exists, and every text is used. */
  @Test
  void definesExactlyTheTextsInUse() throws IOException {
    Set<String> used = new TreeSet<>();
    addKeys(TEMPLATES, "\\bt\\.get\\(\"([\\w.-]+)\"[,)]", used);
    addKeys(CLASSES, "(?:texts|TEXTS|ENGLISH)\\s*\\.get\\(\\s*\"([\\w.-]+)\"", used);
    addKeys(CLASSES, "[?:] \"(card\\.\\w+)\"", used);
    addKeys(CLASSES, "\\? \"(features\\.\\w+)\"", used);
    addKeys(CLASSES, ": \"(features\\.\\w+)\"", used);
    used.removeIf(key -> key.endsWith(".")); // completed below
    Set<String> activities = new TreeSet<>();
    addKeys(ENGINE, "Activity\\s*\\.of\\(\\s*\"(\\w+)\"", activities);
    activities.addAll(Set.of("selecting", "training")); // by a condition
    activities.forEach(key -> used.add("activity." + key));
    for (Change.Action action : Change.Action.values()) {
      used.add("history." + action);
      if (action != Change.Action.UNDO && action != Change.Action.IMPORT) {
        used.add("status." + action);
      }
    }
    ProjectOptions.FEATURES.stream()
        .filter(name -> PublishedWeights.named(name).isEmpty())
        .forEach(name -> used.add("features." + name));
    Strategies.all().forEach(entry -> used.add("strategy." + entry.name()));
    for (String place : new String[] {"label", "grid", "items", "dashboard"}) {
      used.add("place." + place);
    }
    for (String option : new String[] {"budget", "trainEvery", "testEvery", "leaseMinutes"}) {
      assertTrue(ProjectOptions.DEFAULT.toJson().contains(option), option);
      used.add("settings." + option);
      used.add("settings." + option + ".note");
    }
    for (LabelExport.Format format : LabelExport.Format.values()) {
      used.add("transfer." + format);
    }
    Set<String> counted = new TreeSet<>();
    addKeys(TEMPLATES, "\\bt\\.count\\(\"([\\w.-]+)\"", counted);
    addKeys(CLASSES, "texts\\s*\\.count\\(\\s*\"([\\w.-]+)\"", counted);
    for (String key : counted) {
      used.add(key);
      used.add(key + ".one");
    }
    used.add("card.heldOut");
    used.add("card.meanwhile");
    Properties messages = new Properties();
    try (Reader in = Files.newBufferedReader(MESSAGES)) {
      messages.load(in);
    }
    assertEquals(used, new TreeSet<>(messages.stringPropertyNames()));
  }

  @Test
  void templatesContainNoTexts() throws IOException {
    // Text between tags, except expressions, keys and commands.
    Pattern words = Pattern.compile(">[^<>$@{}]*[a-z]{3}[^<>$@{}]*<");
    for (Path template : files(TEMPLATES)) {
      String markup =
          Files.readString(template)
              .replaceAll("(?s)<(kbd|pre|script)\\b.*?</\\1>", "")
              .replaceAll("(?m)^@.*$", "");
      Matcher found = words.matcher(markup);
      assertTrue(!found.find(), () -> template + ": " + found.group());
    }
  }

  private static void addKeys(Path folder, String pattern, Set<String> keys) throws IOException {
    for (Path file : files(folder)) {
      Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
      while (matcher.find()) {
        keys.add(matcher.group(1));
      }
    }
  }

  private static Iterable<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
