package org.alfamix.io;

import java.util.Optional;

/**
 * Finds engines that are not on the class path yet, such as those that a launcher fetches when they
 * are first needed. Found by {@link java.util.ServiceLoader}.
 */
public interface EngineSource {

  /** Returns an engine of this kind, or nothing where it has none. */
  <T> Optional<T> find(Class<T> engine);
}
