package org.alfamix.io;

import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.plugin.Plugins;

/** Finds implementations in separate modules, which depend on large libraries. */
public final class Engines {
  private Engines() {}

  /** Returns the engines of a type on the class path. */
  public static <T> Stream<T> installed(Class<T> engine) {
    return Plugins.load(engine).stream();
  }

  /**
   * Returns the engine of a type from the class path, otherwise from an {@link EngineSource}, which
   * may download it first.
   */
  public static <T> Optional<T> find(Class<T> engine) {
    return installed(engine).findFirst().or(() -> fetch(engine));
  }

  /** Returns the engine of a type from an {@link EngineSource}, regardless of the class path. */
  public static <T> Optional<T> fetch(Class<T> engine) {
    return Plugins.load(EngineSource.class).stream()
        .flatMap(source -> source.find(engine).stream())
        .findFirst();
  }
}
