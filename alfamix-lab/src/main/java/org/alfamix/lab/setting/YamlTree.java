package org.alfamix.lab.setting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.io.DataException;
import org.alfamix.io.Suggestions;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A YAML file with typed access to its values. Missing, misspelt or invalid values are reported
 * with file and line.
 */
final class YamlTree {
  private final String file;
  private final String key;
  private final Node node;

  private YamlTree(String file, String key, Node node) {
    this.file = file;
    this.key = key;
    this.node = node;
  }

  /** Parses a text; {@code file} names it in messages. */
  static YamlTree parse(String file, String text) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      Node root =
          new Compose(settings)
              .composeString(text)
              .orElseThrow(() -> new DataException(file + ": the file is empty."));
      return new YamlTree(file, "", root);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new DataException(
          "%s, line %d: invalid YAML: %s.".formatted(file, line, e.getProblem()), e);
    } catch (YamlEngineException e) {
      String reason = e.getMessage().lines().findFirst().orElse("");
      throw new DataException(file + ": invalid YAML: " + reason, e);
    } catch (StackOverflowError e) {
      throw new DataException(file + ": YAML is nested too deeply.", e);
    }
  }

  /**
   * Returns the entries of a mapping by the current spelling of their keys; fails if a key is
   * unknown.
   */
  Map<String, YamlTree> fields(List<String> known) {
    Map<String, YamlTree> fields = new LinkedHashMap<>();
    for (Map.Entry<String, YamlTree> field : fields().entrySet()) {
      String key = FormerKeys.current(field.getKey());
      if (!known.contains(key)) {
        throw field.getValue().error(unknownKey(field.getKey(), known));
      }
      if (fields.put(key, field.getValue()) != null) {
        throw field.getValue().error("duplicate key '%s'.".formatted(key));
      }
    }
    return fields;
  }

  private static String unknownKey(String key, List<String> known) {
    return Suggestions.nearest(key, known)
        .map(nearest -> "unknown key '%s'; did you mean '%s'?".formatted(key, nearest))
        .orElseGet(
            () -> "unknown key '%s'; expected one of %s.".formatted(key, String.join(", ", known)));
  }

  /** Returns the entries of a mapping with any keys. */
  Map<String, YamlTree> fields() {
    if (!(node instanceof MappingNode mapping)) {
      throw unexpected("a mapping");
    }
    Map<String, YamlTree> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw unexpected("keys that are plain text");
      }
      YamlTree value = new YamlTree(file, name.getValue(), tuple.getValueNode());
      if (fields.put(name.getValue(), value) != null) {
        throw value.error("duplicate key '%s'.".formatted(name.getValue()));
      }
    }
    return fields;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isMapping() {
    return node instanceof MappingNode;
  }

  List<YamlTree> list() {
    if (!(node instanceof SequenceNode sequence)) {
      throw unexpected("a list");
    }
    List<YamlTree> elements = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      elements.add(new YamlTree(file, key, element));
    }
    return elements;
  }

  String text() {
    String text = scalar().orElseThrow(() -> unexpected("text"));
    if (text.isBlank()) {
      throw unexpected("text");
    }
    return text;
  }

  /** Returns a text for one line of a terminal; control characters become spaces. */
  String line() {
    return text().replaceAll("\\p{Cntrl}+", " ").strip();
  }

  /** Returns the elements of a list; fails if it is empty. */
  List<YamlTree> nonEmptyList() {
    List<YamlTree> elements = list();
    if (elements.isEmpty()) {
      throw error("'%s' is an empty list; add an element, or remove the key.".formatted(key));
    }
    return elements;
  }

  boolean flag() {
    String text = scalar().orElse("");
    if (!text.equals("true") && !text.equals("false")) {
      throw unexpected("true or false");
    }
    return text.equals("true");
  }

  int integer(int min) {
    return integer(min, Integer.MAX_VALUE);
  }

  int integer(int min, int max) {
    String text = scalar().orElse("");
    if (text.matches("[-+]?[0-9]{1,10}")) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return (int) value;
      }
    }
    throw unexpected(
        max == Integer.MAX_VALUE
            ? "an integer of at least " + min
            : "an integer from " + min + " to " + max);
  }

  double number() {
    try {
      return Double.parseDouble(scalar().orElse(""));
    } catch (NumberFormatException e) {
      throw unexpected("a number");
    }
  }

  /** Returns a value that must be one of these words. */
  String oneOf(List<String> words) {
    String text = scalar().orElse("");
    if (!words.contains(text)) {
      throw unexpected("one of " + String.join(", ", words));
    }
    return text;
  }

  private Optional<String> scalar() {
    return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
  }

  DataException unexpected(String expected) {
    String actual =
        node instanceof ScalarNode scalar
            ? "'" + scalar.getValue() + "'"
            : node instanceof SequenceNode ? "a list" : "a mapping";
    return error(
        key.isEmpty()
            ? "found %s, expected %s.".formatted(actual, expected)
            : "%s is %s, expected %s.".formatted(key, actual, expected));
  }

  DataException error(String message) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    return new DataException("%s, line %d: %s".formatted(file, line, message));
  }
}
