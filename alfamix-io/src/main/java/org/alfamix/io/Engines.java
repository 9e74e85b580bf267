package org.alfamix.io;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Finds implementations that come in modules of their own, because they bring large libraries. */
public final class Engines {
  private Engines() {}

  /** Returns the engines of a kind from the class path. */
  public static <T> Stream<T> installed(Class<T> engine) {
    return ServiceLoader.load(engine).stream().map(ServiceLoader.Provider::get);
  }

  /**
   * Returns the engine of a kind from the class path, or else from an {@link EngineSource}, which
   * may have to download it first.
   */
  public static <T> Optional<T> find(Class<T> engine) {
    return installed(engine).findFirst().or(() -> fetched(engine));
  }

  /**
   * Returns the engine of a kind that an {@link EngineSource} has, whatever is on the class path.
   */
  public static <T> Optional<T> fetched(Class<T> engine) {
    return ServiceLoader.load(EngineSource.class).stream()
        .flatMap(source -> source.get().find(engine).stream())
        .findFirst();
  }
}
