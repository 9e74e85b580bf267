package org.alfamix.io;

import java.util.Optional;
import java.util.ServiceLoader;

/** Finds implementations that come in modules of their own, because they bring large libraries. */
public final class Engines {
  private Engines() {}

  /**
   * Returns the engine of a kind from the class path, or else from an {@link EngineSource}, which
   * may have to download it first.
   */
  public static <T> Optional<T> find(Class<T> engine) {
    return ServiceLoader.load(engine)
        .findFirst()
        .or(
            () ->
                ServiceLoader.load(EngineSource.class).stream()
                    .flatMap(source -> source.get().find(engine).stream())
                    .findFirst());
  }
}
