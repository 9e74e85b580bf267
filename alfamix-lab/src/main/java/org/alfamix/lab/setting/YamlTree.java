package org.alfamix.lab.setting;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.io.DataException;
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
 * A YAML file, to be asked for what must be in it: whatever is missing, misspelt or of another kind
 * is told by file and line.
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

  /** Reads a text; {@code file} is what messages call it. */
  static YamlTree parse(String file, String text) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).build();
      Node root =
          new Compose(settings)
              .composeString(text)
              .orElseThrow(() -> new DataException(file + ": there is nothing in it."));
      return new YamlTree(file, "", root);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw new DataException(
          "%s, line %d: this is no YAML: %s.".formatted(file, line, e.getProblem()), e);
    } catch (YamlEngineException e) {
      String what = e.getMessage().lines().findFirst().orElse("");
      throw new DataException(file + ": this is no YAML: " + what, e);
    } catch (StackOverflowError e) {
      throw new DataException(file + ": this is nested too deeply for a setting.", e);
    }
  }

  /** The entries of a mapping whose keys are all known. */
  Map<String, YamlTree> fields(List<String> known) {
    Map<String, YamlTree> fields = fields();
    for (Map.Entry<String, YamlTree> field : fields.entrySet()) {
      if (!known.contains(field.getKey())) {
        throw field.getValue().error(unknownKey(field.getKey(), known));
      }
    }
    return fields;
  }

  private static String unknownKey(String key, List<String> known) {
    return Suggestions.nearest(key, known)
        .map(nearest -> "there is no key '%s'; did you mean '%s'?".formatted(key, nearest))
        .orElseGet(
            () -> "there is no key '%s'; there are %s.".formatted(key, String.join(", ", known)));
  }

  /** The entries of a mapping, whatever their keys. */
  Map<String, YamlTree> fields() {
    if (!(node instanceof MappingNode mapping)) {
      throw wrong("keys with values");
    }
    Map<String, YamlTree> fields = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
        throw wrong("keys that are words");
      }
      YamlTree value = new YamlTree(file, name.getValue(), tuple.getValueNode());
      if (fields.put(name.getValue(), value) != null) {
        throw value.error("'%s' is there twice.".formatted(name.getValue()));
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
      throw wrong("a list");
    }
    List<YamlTree> elements = new ArrayList<>();
    for (Node element : sequence.getValue()) {
      elements.add(new YamlTree(file, key, element));
    }
    return elements;
  }

  String text() {
    String text = scalar().orElseThrow(() -> wrong("a text"));
    if (text.isBlank()) {
      throw wrong("a text");
    }
    return text;
  }

  /** A text for a line on a screen: what would move the cursor is a space. */
  String line() {
    return text().replaceAll("\\p{Cntrl}+", " ").strip();
  }

  /** The elements of a list that must have some. */
  List<YamlTree> some() {
    List<YamlTree> elements = list();
    if (elements.isEmpty()) {
      throw error("'%s' is an empty list; leave it out, or name some.".formatted(key));
    }
    return elements;
  }

  boolean flag() {
    String text = scalar().orElse("");
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong("true or false");
    }
    return text.equals("true");
  }

  int integer(int least) {
    return integer(least, Integer.MAX_VALUE);
  }

  int integer(int least, int most) {
    String text = scalar().orElse("");
    if (text.matches("[-+]?[0-9]{1,10}")) {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return (int) value;
      }
    }
    throw wrong(
        most == Integer.MAX_VALUE
            ? "a whole number of at least " + least
            : "a whole number from " + least + " to " + most);
  }

  double number() {
    try {
      return Double.parseDouble(scalar().orElse(""));
    } catch (NumberFormatException e) {
      throw wrong("a number");
    }
  }

  /** One of some words. */
  String oneOf(List<String> words) {
    String text = scalar().orElse("");
    if (!words.contains(text)) {
      throw wrong("one of " + String.join(", ", words));
    }
    return text;
  }

  private Optional<String> scalar() {
    return node instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty();
  }

  DataException wrong(String expected) {
    String found =
        node instanceof ScalarNode scalar
            ? "'" + scalar.getValue() + "'"
            : node instanceof SequenceNode ? "a list" : "a mapping";
    return error(
        key.isEmpty()
            ? "found %s, expected %s.".formatted(found, expected)
            : "%s is %s, expected %s.".formatted(key, found, expected));
  }

  DataException error(String message) {
    int line = node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    return new DataException("%s, line %d: %s".formatted(file, line, message));
  }
}
