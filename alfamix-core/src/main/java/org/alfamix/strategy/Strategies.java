package org.alfamix.strategy;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.plugin.Plugins;

/**
 * The registry of query strategies: those of alfamix, and those of plug-ins ({@link
 * StrategyCatalog}). Strategies that are listed here are available on the command line, in
 * benchmarks and in the contract test.
 *
 * @since 0.1
 */
public final class Strategies {
  private static final List<StrategyEntry<?>> BUILT_IN =
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
          AlfaMix.ENTRY);

  /**
   * All strategies that a context class loader sees. Soft references, because the entries refer to
   * the loader of their plug-in, which must remain collectable in an application server.
   */
  private static final Map<ClassLoader, SoftReference<List<StrategyEntry<?>>>> FOUND =
      new WeakHashMap<>();

  private Strategies() {}

  /** Returns the strategies of alfamix, the baseline first. */
  public static List<StrategyEntry<?>> builtIn() {
    return BUILT_IN;
  }

  /**
   * Returns all strategies: those of alfamix, then those of plug-ins.
   *
   * @throws InvalidRequestException if two strategies have the same name, or a plug-in cannot be
   *     loaded
   */
  public static List<StrategyEntry<?>> all() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    synchronized (FOUND) {
      SoftReference<List<StrategyEntry<?>>> known = FOUND.get(loader);
      List<StrategyEntry<?>> entries = known == null ? null : known.get();
      if (entries == null) {
        entries = find();
        FOUND.put(loader, new SoftReference<>(entries));
      }
      return entries;
    }
  }

  private static List<StrategyEntry<?>> find() {
    record Found(StrategyEntry<?> entry, String source) {}
    List<Found> found = new ArrayList<>();
    BUILT_IN.forEach(entry -> found.add(new Found(entry, "alfamix")));
    for (StrategyCatalog catalog : Plugins.load(StrategyCatalog.class)) {
      for (StrategyEntry<?> entry : catalog.entries()) {
        found.add(new Found(entry, catalog.getClass().getName()));
      }
    }
    Plugins.requireUniqueNames("strategies", found, each -> each.entry().name(), Found::source);
    return found.stream().<StrategyEntry<?>>map(Found::entry).toList();
  }

  /**
   * Returns the entry with the given name.
   *
   * @throws InvalidRequestException if the name is unknown; the message lists all names
   */
  public static StrategyEntry<?> named(String name) {
    // Plug-ins are searched only for other names, because the search takes time.
    return find(BUILT_IN.stream(), name)
        .or(() -> find(all().stream(), name))
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

  private static Optional<StrategyEntry<?>> find(Stream<StrategyEntry<?>> entries, String name) {
    return entries.filter(entry -> entry.name().equals(name)).findFirst();
  }

  /** Creates the strategy with the given name; options that are not set have their defaults. */
  public static QueryStrategy create(String name, Map<String, String> options) {
    return named(name).create(options);
  }
}
