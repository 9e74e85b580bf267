package org.alfamix.datasets;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.math.RandomIndices;

/**
 * A labelled data set: a pool to select from, and test items.
 *
 * @param name the name of the data set
 * @param classNames the names of the classes, by class number
 * @param scaling the transformation applied to values before they are fed to a network
 */
public record Dataset(String name, List<String> classNames, Part pool, Part test, Scaling scaling) {

  /** The label of an item whose class is not known. */
  public static final int UNLABELLED = -1;

  /** Fixed, because the split is part of the definition of a data set. */
  private static final long SPLIT_SEED = 20220617;

  /**
   * Items with their classes.
   *
   * @param labels the class of each item, numbered from 0, or {@link #UNLABELLED}
   */
  public record Part(Inputs inputs, int[] labels) {

    public Part {
      if (inputs.size() != labels.length) {
        throw new IllegalArgumentException(
            "Expected one label per item, found %d items and %d labels."
                .formatted(inputs.size(), labels.length));
      }
    }

    public int size() {
      return labels.length;
    }

    /** Returns the items with the given indices, in the given order. */
    public Part subset(int[] items) {
      return new Part(new SubsetInputs(inputs, items.clone()), labelsOf(items));
    }

    /** Returns the items whose class has a new number, with that number; others are dropped. */
    private Part renumber(int[] renumbered) {
      int[] items =
          IntStream.range(0, size())
              .filter(i -> labels[i] != UNLABELLED && renumbered[labels[i]] != UNLABELLED)
              .toArray();
      Part kept = subset(items);
      return new Part(
          kept.inputs, Arrays.stream(kept.labels).map(label -> renumbered[label]).toArray());
    }

    /** Returns the labels of the given items. */
    public int[] labelsOf(int[] items) {
      return Arrays.stream(items).map(item -> labels[item]).toArray();
    }
  }

  public Dataset {
    classNames = List.copyOf(classNames);
    if (!pool.inputs().shape().equals(test.inputs().shape())) {
      throw new DataException(
          "%s: the pool has items of %s, but the test items have %s."
              .formatted(name, pool.inputs().shape(), test.inputs().shape()));
    }
    if (scaling.shift().length != pool.inputs().shape().channels()) {
      throw new IllegalArgumentException(
          "%s: the scaling has %d channels, which does not fit %s."
              .formatted(name, scaling.shift().length, pool.inputs().shape()));
    }
    requireLabels(name, pool, UNLABELLED, classNames.size());
    requireLabels(name, test, 0, classNames.size());
  }

  private static void requireLabels(String name, Part part, int min, int classes) {
    for (int i = 0; i < part.size(); i++) {
      int label = part.labels()[i];
      if (label < min || label >= classes) {
        throw new DataException(
            "%s, %s: label %d, expected 0 to %d."
                .formatted(name, part.inputs().describe(i), label, classes - 1));
      }
    }
  }

  /**
   * Splits a data set by a fixed shuffle into test items and the pool. The split does not depend on
   * the classes, so that the pool stays the same when people add labels; held-out items without a
   * class are dropped.
   *
   * @param heldOut number of held-out items
   */
  public static Dataset split(
      String name, List<String> classNames, Part all, int heldOut, Scaling scaling) {
    int[] order = RandomIndices.distinct(all.size(), all.size(), new SplittableRandom(SPLIT_SEED));
    int[] pool = Arrays.copyOf(order, all.size() - heldOut);
    // In the order of the source, so that people can find a row of the pool in the file.
    Arrays.sort(pool);
    int[] test =
        Arrays.stream(order, all.size() - heldOut, all.size())
            .filter(item -> all.labels()[item] != UNLABELLED)
            .sorted()
            .toArray();
    return new Dataset(name, classNames, all.subset(pool), all.subset(test), scaling);
  }

  /** Returns the items of the pool whose class is known, ascending. */
  public int[] labelledItems() {
    return IntStream.range(0, pool.size())
        .filter(item -> pool.labels()[item] != UNLABELLED)
        .toArray();
  }

  /**
   * Returns a digest that identifies the pool, of the ids of its items and, for tables and texts,
   * of their values. Classes are excluded, because people add labels.
   */
  public String fingerprint() {
    MessageDigest digest = Digest.newSha256();
    Inputs inputs = pool.inputs();
    float[] values = new float[shape().length()];
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int i = 0; i < inputs.size(); i++) {
      digest.update((inputs.id(i) + "\n").getBytes(StandardCharsets.UTF_8));
      if (shape().isText()) {
        inputs.digest(i, digest);
      } else if (shape().kind() == InputShape.Kind.TABLE) {
        inputs.read(i, values, 0);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes.array());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Returns a digest of all data that results depend on: the values of pool and test items, their
   * classes, and the scaling. For images that are decoded on demand, only the names are included,
   * because reading all images would take longer than many experiments.
   */
  public String checksum() {
    MessageDigest digest = Digest.newSha256();
    digest.update(String.join("\n", classNames).getBytes(StandardCharsets.UTF_8));
    digest.update(
        (Arrays.toString(scaling.shift()) + Arrays.toString(scaling.scale()))
            .getBytes(StandardCharsets.UTF_8));
    for (Part part : List.of(pool, test)) {
      addValues(part.inputs(), digest);
      ByteBuffer labels = ByteBuffer.allocate(4 * part.size());
      labels.asIntBuffer().put(part.labels());
      digest.update(labels.array());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void addValues(Inputs inputs, MessageDigest digest) {
    int length = inputs.shape().length();
    byte[] small = new byte[length];
    float[] values = new float[length];
    ByteBuffer bytes = ByteBuffer.allocate(4 * length);
    for (int i = 0; i < inputs.size(); i++) {
      if (!inputs.isInMemory()) {
        digest.update((inputs.id(i) + "\n").getBytes(StandardCharsets.UTF_8));
      } else if (inputs.shape().isText()) {
        inputs.digest(i, digest);
        digest.update((byte) 0);
      } else if (inputs.hasBytes()) {
        inputs.readBytes(i, small, 0);
        digest.update(small);
      } else {
        inputs.read(i, values, 0);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes.array());
      }
    }
  }

  /**
   * Returns a data set with only the items of the given classes, in pool and test.
   *
   * @throws IllegalArgumentException if a class does not exist or is given twice
   */
  public Dataset withClasses(List<String> names) {
    int[] renumbered = new int[classNames.size()];
    Arrays.fill(renumbered, UNLABELLED);
    for (int k = 0; k < names.size(); k++) {
      int old = classNames.indexOf(names.get(k));
      if (old < 0 || renumbered[old] != UNLABELLED) {
        throw new InvalidRequestException(
            old < 0
                ? "%s has no class '%s'.".formatted(name, names.get(k))
                : "The class '%s' is given twice.".formatted(names.get(k)));
      }
      renumbered[old] = k;
    }
    return new Dataset(name, names, pool.renumber(renumbered), test.renumber(renumbered), scaling);
  }

  /** Returns a data set with a fixed random subset of the pool and the same test items. */
  public Dataset withPool(int size) {
    if (size > pool.size()) {
      throw new InvalidRequestException(
          "%s has a pool of %d items, but %d are requested.".formatted(name, pool.size(), size));
    }
    int[] sampled = RandomIndices.distinct(pool.size(), size, new SplittableRandom(SPLIT_SEED));
    Arrays.sort(sampled);
    return new Dataset(name, classNames, pool.subset(sampled), test, scaling);
  }

  /**
   * Returns this data set if it has classes to learn.
   *
   * @throws DataException if it has none, such as texts without a column of classes
   */
  public Dataset requireClasses() {
    if (classNames.size() < 2) {
      throw new DataException(name + ": the items have no classes.")
          .advise("name the class column of a table", "labelColumn");
    }
    return this;
  }

  public InputShape shape() {
    return pool.inputs().shape();
  }

  public int classes() {
    return classNames.size();
  }

  /** Returns a data set with the same videos, but other clips of them. */
  public Dataset withClips(ClipOptions options) {
    return new Dataset(
        name,
        classNames,
        new Part(pool.inputs().withClips(options), pool.labels()),
        new Part(test.inputs().withClips(options), test.labels()),
        scaling);
  }

  /** Returns the same data set with another scaling. */
  public Dataset withScaling(Scaling other) {
    return new Dataset(name, classNames, pool, test, other);
  }
}
