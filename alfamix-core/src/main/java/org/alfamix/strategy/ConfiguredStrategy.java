package org.alfamix.strategy;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A strategy with the options it was made from, as results record them.
 *
 * @param options all options by name, those that were not set with their defaults
 */
public record ConfiguredStrategy(QueryStrategy strategy, Map<String, String> options) {

  public ConfiguredStrategy {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /**
   * Creates a strategy from the registry.
   *
   * @throws org.alfamix.error.InvalidRequestException naming the strategy or option that is unknown
   */
  public static ConfiguredStrategy of(String name, Map<String, String> settings) {
    StrategyEntry<?> entry = Strategies.named(name);
    QueryStrategy strategy = entry.create(settings);
    Map<String, String> options = new LinkedHashMap<>(entry.options());
    options.replaceAll(settings::getOrDefault);
    return new ConfiguredStrategy(strategy, options);
  }

  public String name() {
    return strategy.name();
  }
}
