package org.alfamix.torch;

import java.util.List;

/**
 * Several networks at once, found by {@link java.util.ServiceLoader}. A single network can name
 * itself as an {@link Architecture} instead.
 */
public interface ArchitectureCatalog {

  /** The networks, in the order in which they are listed. */
  List<Architecture> architectures();
}
