package org.alfamix.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.error.InvalidRequestException;

/**
 * The options after the name of a network, such as {@code blocks=4} in {@code vit-small:blocks=4}.
 */
public final class NetworkOptions {
  private final String network;
  private final Map<String, String> unread;
  private final List<String> known = new ArrayList<>();

  public NetworkOptions(String network, Map<String, String> given) {
    this.network = network;
    this.unread = new TreeMap<>(given);
  }

  /** Returns an option that is an integer within bounds. */
  public int integer(String key, int min, int max, int defaultValue) {
    String text = read(key);
    if (text == null) {
      return defaultValue;
    }
    if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < min || Integer.parseInt(text) > max) {
      throw new InvalidRequestException(
          "%s: %s is '%s', expected %d to %d.".formatted(network, key, text, min, max));
    }
    return Integer.parseInt(text);
  }

  /** Returns an option that is one of some words. */
  public String oneOf(String key, List<String> words, String defaultValue) {
    String text = read(key);
    if (text != null && !words.contains(text)) {
      throw new InvalidRequestException(
          "%s: %s is '%s', expected %s.".formatted(network, key, text, String.join(" or ", words)));
    }
    return text == null ? defaultValue : text;
  }

  private String read(String key) {
    known.add(key);
    return unread.remove(key);
  }

  /** Fails if there is an option that has not been read. */
  public void rejectUnknown() {
    if (!unread.isEmpty()) {
      String options =
          known.isEmpty() ? "it has none" : "its options are " + String.join(", ", known);
      throw new InvalidRequestException(
          "%s has no option '%s'; %s."
              .formatted(network, unread.keySet().iterator().next(), options));
    }
  }
}
