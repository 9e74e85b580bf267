package org.alfamix.dataset;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.alfamix.math.RandomIndices;

/**
 * A labelled data set: a pool to choose from and items to test on.
 *
 * @param name what it is called by
 * @param classNames the names of the classes, in the order of their numbers
 * @param scaling what is done to the values before a network sees them
 */
public record Dataset(String name, List<String> classNames, Part pool, Part test, Scaling scaling) {

  /** Where shuffled sets are cut is part of what they are: the same cut for everyone. */
  private static final long SPLIT_SEED = 20220617;

  /**
   * Items with their classes.
   *
   * @param labels the class of each item, numbered from 0
   */
  public record Part(Inputs inputs, int[] labels) {

    public Part {
      if (inputs.size() != labels.length) {
        throw new IllegalArgumentException(
            "%d items, but %d labels.".formatted(inputs.size(), labels.length));
      }
    }

    public int size() {
      return labels.length;
    }

    /** The items with these numbers, in their order. */
    public Part subset(int[] items) {
      return new Part(new SubsetInputs(inputs, items.clone()), labelsOf(items));
    }

    /** The labels of these items. */
    public int[] labelsOf(int[] items) {
      return Arrays.stream(items).map(item -> labels[item]).toArray();
    }
  }

  public Dataset {
    classNames = List.copyOf(classNames);
    if (!pool.inputs().shape().equals(test.inputs().shape())) {
      throw new IllegalArgumentException(
          "%s: the pool has %s, the test items %s."
              .formatted(name, pool.inputs().shape(), test.inputs().shape()));
    }
    if (scaling.shift().length != pool.inputs().shape().channels()) {
      throw new IllegalArgumentException(
          "%s: a scaling of %d channels for %s."
              .formatted(name, scaling.shift().length, pool.inputs().shape()));
    }
    requireLabels(name, pool, classNames.size());
    requireLabels(name, test, classNames.size());
  }

  private static void requireLabels(String name, Part part, int classes) {
    for (int i = 0; i < part.size(); i++) {
      int label = part.labels()[i];
      if (label < 0 || label >= classes) {
        throw new IllegalArgumentException(
            "%s: the label of %s is %d, expected 0 to %d."
                .formatted(name, part.inputs().describe(i), label, classes - 1));
      }
    }
  }

  /** Cuts a set in two: a fixed shuffle, the first for the pool, the rest to test on. */
  public static Dataset split(
      String name, List<String> classNames, Part all, int poolSize, Scaling scaling) {
    int[] order = RandomIndices.distinct(all.size(), all.size(), new SplittableRandom(SPLIT_SEED));
    int[] pool = Arrays.copyOf(order, poolSize);
    int[] test = Arrays.copyOfRange(order, poolSize, order.length);
    // Ascending, so that a row of the pool is found again in the file by eye.
    Arrays.sort(pool);
    Arrays.sort(test);
    return new Dataset(name, classNames, all.subset(pool), all.subset(test), scaling);
  }

  public InputShape shape() {
    return pool.inputs().shape();
  }

  public int classes() {
    return classNames.size();
  }

  /** The same with another scaling. */
  public Dataset withScaling(Scaling other) {
    return new Dataset(name, classNames, pool, test, other);
  }
}
