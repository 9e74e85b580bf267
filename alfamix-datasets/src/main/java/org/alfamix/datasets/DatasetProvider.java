package org.alfamix.datasets;

import java.util.List;

/**
 * The named data sets of a plug-in, found by {@link java.util.ServiceLoader}.
 *
 * @since 0.1
 */
public interface DatasetProvider {

  /** Returns the entries of the data sets; their names must differ from those of all others. */
  List<DatasetEntry> entries();
}
