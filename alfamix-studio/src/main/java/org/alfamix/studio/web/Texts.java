package org.alfamix.studio.web;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** The texts of the pages, from {@code messages.properties}. */
final class Texts {
  static final Texts ENGLISH = read("messages.properties");

  private final Properties messages;

  private Texts(Properties messages) {
    this.messages = messages;
  }

  private static Texts read(String resource) {
    Properties messages = new Properties();
    try (Reader in =
        new InputStreamReader(Texts.class.getResourceAsStream(resource), StandardCharsets.UTF_8)) {
      messages.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Texts(messages);
  }

  /** Returns the text for a number of things; a single thing has a separate text. */
  String count(String key, int count) {
    return get(count == 1 ? key + ".one" : key, count);
  }

  /** Returns the text of a key, or another text if there is none. */
  String getOrDefault(String key, String other) {
    return messages.getProperty(key, other);
  }

  /** Returns a text in which {@code {0}}, {@code {1}}, … are replaced by the given values. */
  String get(String key, Object... values) {
    String message = messages.getProperty(key);
    if (message == null) {
      throw new IllegalArgumentException("messages.properties has no text '" + key + "'");
    }
    if (values.length == 0) {
      return message;
    }
    StringBuilder text = new StringBuilder(message.length() + 32);
    int at = 0;
    // In one pass, because values may contain braces.
    for (int open; (open = message.indexOf('{', at)) >= 0; ) {
      int close = message.indexOf('}', open);
      text.append(message, at, open);
      text.append(values[Integer.parseInt(message.substring(open + 1, close))]);
      at = close + 1;
    }
    return text.append(message.substring(at)).toString();
  }
}
