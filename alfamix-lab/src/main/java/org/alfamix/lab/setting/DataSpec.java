package org.alfamix.lab.setting;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.learn.embed.BackboneName;

/**
 * What is learnt from.
 *
 * @param name a data set by its name, or a path
 * @param reading how data of one's own are read, by the names of the options of 'alfamix train'
 * @param standardise whether columns or channels are brought to mean 0 and deviation 1
 * @param classes only these; empty for all
 * @param pool at most so many items, 0 for all
 */
public record DataSpec(
    String name, Map<String, String> reading, boolean standardise, List<String> classes, int pool) {

  public DataSpec {
    reading = new TreeMap<>(reading);
    classes = List.copyOf(classes);
  }

  /** How images become features, under this key of {@link #reading}. */
  public static final String BACKBONE = DatasetReader.BACKBONE;

  /** The same, as features. */
  public DataSpec with(BackboneName backbone) {
    Map<String, String> all = new TreeMap<>(reading);
    all.put(BACKBONE, backbone.toString());
    return new DataSpec(name, all, standardise, classes, pool);
  }
}
