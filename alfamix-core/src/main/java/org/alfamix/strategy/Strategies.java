package org.alfamix.strategy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.plugin.Registry;

/**
 * The registry of query strategies: those of alfamix, and those of plug-ins ({@link
 * StrategyProvider}). Strategies that are listed here are available on the command line, in
 * benchmarks and in the contract test.
 *
 * @since 0.1
 */
public final class Strategies {
  private static final Registry<StrategyEntry<?>> REGISTRY =
      Registry.of(
          "strategies",
          List.of(
              RandomSampling.ENTRY,
              Entropy.ENTRY,
              LeastConfidence.ENTRY,
              Margin.ENTRY,
              Bald.ENTRY,
              Dfal.ENTRY,
              CoreSet.ENTRY,
              Cdal.ENTRY,
              Gcnal.ENTRY,
              Badge.ENTRY,
              AlfaMix.ENTRY),
          StrategyEntry::name,
          StrategyProvider.class,
          StrategyProvider::entries);

  private Strategies() {}

  /** Returns the strategies of alfamix, the baseline first. */
  public static List<StrategyEntry<?>> builtIn() {
    return REGISTRY.builtIn();
  }

  /**
   * Returns all strategies: those of alfamix, then those of plug-ins.
   *
   * @throws InvalidRequestException if two strategies have the same name, or a plug-in cannot be
   *     loaded
   */
  public static List<StrategyEntry<?>> all() {
    return REGISTRY.all();
  }

  /**
   * Returns the entry with the given name.
   *
   * @throws InvalidRequestException if the name is unknown; the message lists all names
   */
  public static StrategyEntry<?> named(String name) {
    return REGISTRY
        .named(name)
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    "strategy",
                    "is '%s', expected one of %s."
                        .formatted(
                            name,
                            all().stream()
                                .map(StrategyEntry::name)
                                .collect(Collectors.joining(", ")))));
  }

  /** Creates the strategy with the given name; options that are not set have their defaults. */
  public static QueryStrategy create(String name, Map<String, String> options) {
    return named(name).create(options);
  }
}
