package org.alfamix.lab.setting;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.learn.embed.BackboneName;

/**
 * The data of a setting.
 *
 * @param name the name of a data set, or a path
 * @param reading options for reading user-provided data, by the names of the options of 'alfamix
 *     train'
 * @param standardize whether columns or channels are standardized to mean 0 and deviation 1
 * @param classes the classes to use; empty for all
 * @param pool maximum number of pool items, 0 for all
 */
public record DataSpec(
    String name, Map<String, String> reading, boolean standardize, List<String> classes, int pool) {

  public DataSpec {
    reading = new TreeMap<>(reading);
    classes = List.copyOf(classes);
  }

  /** The key of {@link #reading} that names the backbone that turns images into features. */
  public static final String BACKBONE = DatasetReader.BACKBONE;

  /** Returns the same data as features of a backbone. */
  public DataSpec with(BackboneName backbone) {
    Map<String, String> all = new TreeMap<>(reading);
    all.put(BACKBONE, backbone.toString());
    return new DataSpec(name, all, standardize, classes, pool);
  }
}
