package org.alfamix.torch;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.io.DataException;

/**
 * What was said of a network behind its name, as {@code blocks=4} of {@code vit-small:blocks=4}.
 */
public final class NetworkOptions {
  private final String network;
  private final Map<String, String> left;

  public NetworkOptions(String network, Map<String, String> given) {
    this.network = network;
    this.left = new TreeMap<>(given);
  }

  /** A number within bounds. */
  public int integer(String key, int least, int most, int usual) {
    String text = left.remove(key);
    if (text == null) {
      return usual;
    }
    if (!text.matches("\\d{1,6}")
        || Integer.parseInt(text) < least
        || Integer.parseInt(text) > most) {
      throw new DataException(
          "%s: %s is '%s', expected %d to %d.".formatted(network, key, text, least, most));
    }
    return Integer.parseInt(text);
  }

  /** One of some words. */
  public String oneOf(String key, List<String> words, String usual) {
    String text = left.remove(key);
    if (text != null && !words.contains(text)) {
      throw new DataException(
          "%s: %s is '%s', expected %s.".formatted(network, key, text, String.join(" or ", words)));
    }
    return text == null ? usual : text;
  }

  /** Fails where something was said that nobody has asked for. */
  public void requireNoOthers() {
    if (!left.isEmpty()) {
      throw new DataException(
          "%s has no option '%s'.".formatted(network, left.keySet().iterator().next()));
    }
  }
}
