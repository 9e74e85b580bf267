package org.alfamix.torch;

import java.util.List;

/**
 * A list of networks, found by {@link java.util.ServiceLoader}. A single network can be registered
 * as an {@link Architecture} instead.
 */
public interface ArchitectureProvider {

  /** Returns the networks in the order in which users see them. */
  List<Architecture> architectures();
}
