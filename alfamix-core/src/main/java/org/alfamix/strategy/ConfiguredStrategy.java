package org.alfamix.strategy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A strategy with its options, as recorded with results.
 *
 * @param options all options by name, including defaults
 */
public record ConfiguredStrategy(QueryStrategy strategy, Map<String, String> options) {

  public ConfiguredStrategy {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Creates a strategy from the registry.
   *
   * @throws org.alfamix.error.InvalidRequestException if the strategy or an option is unknown, or a
   *     value is invalid
   */
  public static ConfiguredStrategy of(String name, Map<String, String> settings) {
    StrategyEntry<?> entry = Strategies.named(name);
    QueryStrategy strategy = entry.create(settings);
    Map<String, String> options = new LinkedHashMap<>(entry.options());
    options.replaceAll(entry.withUsualNames(settings)::getOrDefault);
    return new ConfiguredStrategy(strategy, options);
  }

  /** Returns a strategy that need not be in the registry, without options to record. */
  public static ConfiguredStrategy of(QueryStrategy strategy) {
    return new ConfiguredStrategy(strategy, Map.of());
  }

  public String name() {
    return strategy.name();
  }
}
