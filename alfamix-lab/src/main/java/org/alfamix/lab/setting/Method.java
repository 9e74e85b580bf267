package org.alfamix.lab.setting;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.Digest;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;

/**
 * A query strategy with its options, as one line of a comparison.
 *
 * @param label the name in figures and tables
 * @param strategy the name of the strategy
 * @param options the options that differ from the defaults
 */
public record Method(String label, String strategy, Map<String, String> options) {

  private static final int MAX_LENGTH = 100;

  public Method {
    StrategyEntry<?> entry = Strategies.named(strategy);
    options = new TreeMap<>(entry.withUsualNames(options));
    entry.create(options); // fails early if the options are invalid
    if (label.isBlank()
        || label.length() > MAX_LENGTH
        || label.chars().anyMatch(Character::isISOControl)) {
      throw new InvalidRequestException(
          "The name of a method must have 1 to %d characters and no line breaks."
              .formatted(MAX_LENGTH));
    }
  }

  /**
   * Parses a strategy with options after a colon, such as {@code alfamix:picks=uniform,grow=false}.
   */
  public static Method parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      return new Method(text.strip(), text.strip(), Map.of());
    }
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : text.substring(colon + 1).split(",")) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new InvalidRequestException(
            "'%s': expected options such as alfamix:picks=uniform,grow=false.".formatted(text));
      }
      options.put(option.substring(0, equals).strip(), option.substring(equals + 1).strip());
    }
    return new Method(text.strip(), text.substring(0, colon).strip(), options);
  }

  public QueryStrategy create() {
    return Strategies.create(strategy, options);
  }

  /** Returns the label in a form that is safe in file names. */
  public String fileName() {
    String name = label.replaceAll("[^\\w.+=,-]+", "-");
    if (name.equals(label)) {
      return name;
    }
    // Different labels must not share a file.
    byte[] digest = Digest.newSha256().digest(label.getBytes(StandardCharsets.UTF_8));
    return name + "-" + HexFormat.of().formatHex(digest, 0, 6);
  }
}
