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
 * A labelled data set: a pool to choose from and items to test on.
 *
 * @param name what it is called by
 * @param classNames the names of the classes, in the order of their numbers
 * @param scaling what is done to the values before a network sees them
 */
public record Dataset(String name, List<String> classNames, Part pool, Part test, Scaling scaling) {

  /** Stands for a class that is not known. */
  public static final int UNLABELLED = -1;

  /** Where shuffled sets are cut is part of what they are: the same cut for everyone. */
  private static final long SPLIT_SEED = 20220617;

  /**
   * Items with their classes.
   *
   * @param labels the class of each item, numbered from 0; {@link #UNLABELLED} where nobody has
   *     said
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

    /** The items whose class has a new number, under that; those of other classes are left out. */
    private Part of(int[] renumbered) {
      int[] items =
          IntStream.range(0, size())
              .filter(i -> labels[i] != UNLABELLED && renumbered[labels[i]] != UNLABELLED)
              .toArray();
      Part kept = subset(items);
      return new Part(
          kept.inputs, Arrays.stream(kept.labels).map(label -> renumbered[label]).toArray());
    }

    /** The labels of these items. */
    public int[] labelsOf(int[] items) {
      return Arrays.stream(items).map(item -> labels[item]).toArray();
    }
  }

  public Dataset {
    classNames = List.copyOf(classNames);
    if (!pool.inputs().shape().equals(test.inputs().shape())) {
      throw new DataException(
          "%s: the pool has %s, the test items %s."
              .formatted(name, pool.inputs().shape(), test.inputs().shape()));
    }
    if (scaling.shift().length != pool.inputs().shape().channels()) {
      throw new IllegalArgumentException(
          "%s: a scaling of %d channels for %s."
              .formatted(name, scaling.shift().length, pool.inputs().shape()));
    }
    requireLabels(name, pool, UNLABELLED, classNames.size());
    requireLabels(name, test, 0, classNames.size());
  }

  private static void requireLabels(String name, Part part, int least, int classes) {
    for (int i = 0; i < part.size(); i++) {
      int label = part.labels()[i];
      if (label < least || label >= classes) {
        throw new DataException(
            "%s: the label of %s is %d, expected 0 to %d."
                .formatted(name, part.inputs().describe(i), label, classes - 1));
      }
    }
  }

  /**
   * Cuts a set in two: by a fixed shuffle some items are set aside to test on, all others are the
   * pool. Which ones does not depend on their classes, so that the pool stays the same when people
   * add some; of those set aside the ones that have no class are of no use.
   */
  public static Dataset split(
      String name, List<String> classNames, Part all, int aside, Scaling scaling) {
    int[] order = RandomIndices.distinct(all.size(), all.size(), new SplittableRandom(SPLIT_SEED));
    int[] pool = Arrays.copyOf(order, all.size() - aside);
    // In the order of the source, so that a row of the pool is found again in the file by eye.
    Arrays.sort(pool);
    int[] test =
        Arrays.stream(order, all.size() - aside, all.size())
            .filter(item -> all.labels()[item] != UNLABELLED)
            .sorted()
            .toArray();
    return new Dataset(name, classNames, all.subset(pool), all.subset(test), scaling);
  }

  /** The items of the pool whose class is known, ascending. */
  public int[] known() {
    return IntStream.range(0, pool.size())
        .filter(item -> pool.labels()[item] != UNLABELLED)
        .toArray();
  }

  /**
   * What tells this pool from others: a digest of the ids of its items and, of a table, their
   * values. Classes are not in it, because people add them.
   */
  public String fingerprint() {
    MessageDigest digest = Digest.begin();
    Inputs inputs = pool.inputs();
    float[] values = new float[shape().length()];
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length);
    for (int i = 0; i < inputs.size(); i++) {
      digest.update((inputs.id(i) + "\n").getBytes(StandardCharsets.UTF_8));
      if (shape().kind() == InputShape.Kind.TABLE) {
        inputs.read(i, values, 0);
        bytes.asFloatBuffer().put(values);
        digest.update(bytes.array());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * A digest of what results depend on: the values of pool and test items, their classes, the
   * scaling. Images that are decoded on demand count by their names alone, because reading them all
   * would take longer than many an experiment.
   */
  public String checksum() {
    MessageDigest digest = Digest.begin();
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
   * The items of some classes alone, in pool and test.
   *
   * @throws IllegalArgumentException where there is no class of such a name
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
                : "The class '%s' is there twice.".formatted(names.get(k)));
      }
      renumbered[old] = k;
    }
    return new Dataset(name, names, pool.of(renumbered), test.of(renumbered), scaling);
  }

  /** A smaller pool, by a fixed draw: the same for everyone. The test items stay. */
  public Dataset withPool(int size) {
    if (size > pool.size()) {
      throw new InvalidRequestException(
          "%s has a pool of %d items, fewer than %d.".formatted(name, pool.size(), size));
    }
    int[] drawn = RandomIndices.distinct(pool.size(), size, new SplittableRandom(SPLIT_SEED));
    Arrays.sort(drawn);
    return new Dataset(name, classNames, pool.subset(drawn), test, scaling);
  }

  public InputShape shape() {
    return pool.inputs().shape();
  }

  public int classes() {
    return classNames.size();
  }

  /** Returns the same videos with other clips of them. */
  public Dataset withClips(ClipOptions options) {
    return new Dataset(
        name,
        classNames,
        new Part(pool.inputs().withClips(options), pool.labels()),
        new Part(test.inputs().withClips(options), test.labels()),
        scaling);
  }

  /** The same with another scaling. */
  public Dataset withScaling(Scaling other) {
    return new Dataset(name, classNames, pool, test, other);
  }
}
