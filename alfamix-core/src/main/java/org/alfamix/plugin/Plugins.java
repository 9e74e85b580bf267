package org.alfamix.plugin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * Finds plug-ins with {@link ServiceLoader}.
 *
 * <p>The context class loader of the thread is searched first: in application servers and with
 * {@code spark-submit --jars}, it has the jars of the application, which the loader of alfamix does
 * not see. The loader of the type is searched, too, because threads of a library may have no
 * context class loader.
 *
 * @since 0.1
 */
public final class Plugins {
  private Plugins() {}

  /**
   * Returns an instance of each implementation, in the order in which they are found.
   *
   * @throws InvalidRequestException if one of them cannot be loaded
   */
  public static <T> List<T> load(Class<T> type) {
    // In a named module, only the types that it declares to use may be loaded.
    Plugins.class.getModule().addUses(type);
    // By name: in an application server, two loaders may have the same class.
    Map<String, T> found = new LinkedHashMap<>();
    try {
      for (ClassLoader loader : loaders(type)) {
        ServiceLoader.load(type, loader).stream()
            .forEach(
                provider ->
                    found.computeIfAbsent(provider.type().getName(), key -> provider.get()));
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      String reason = e.getMessage() + (e.getCause() == null ? "" : " (" + e.getCause() + ")");
      throw new InvalidRequestException("A plug-in cannot be loaded: " + reason + ".", e);
    }
    return new ArrayList<>(found.values());
  }

  private static Set<ClassLoader> loaders(Class<?> type) {
    Set<ClassLoader> loaders = new LinkedHashSet<>();
    loaders.add(Thread.currentThread().getContextClassLoader());
    loaders.add(type.getClassLoader());
    loaders.remove(null);
    return loaders;
  }

  /**
   * Checks that no two entries have the same name.
   *
   * @param kind a plural noun for the entries, such as {@code strategies}
   * @param source returns where an entry comes from, such as a class name
   * @throws InvalidRequestException if a name occurs twice; the message names both sources
   */
  public static <E> void requireUniqueNames(
      String kind, List<E> entries, Function<E, String> name, Function<E, String> source) {
    Map<String, List<E>> byName =
        entries.stream()
            .collect(Collectors.groupingBy(name, LinkedHashMap::new, Collectors.toList()));
    byName.forEach(
        (key, same) -> {
          if (same.size() > 1) {
            throw new InvalidRequestException(
                "Two %s have the name '%s': %s."
                    .formatted(
                        kind, key, same.stream().map(source).collect(Collectors.joining(" and "))));
          }
        });
  }
}
