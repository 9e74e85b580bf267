package org.alfamix.io;

import java.util.Optional;

/**
 * Provides engines that are not on the class path yet, such as those that a launcher downloads on
 * first use. Implementations are found by {@link java.util.ServiceLoader}.
 */
public interface EngineSource {

  /** Returns an engine of this type, or empty if the source has none. */
  <T> Optional<T> find(Class<T> engine);
}
