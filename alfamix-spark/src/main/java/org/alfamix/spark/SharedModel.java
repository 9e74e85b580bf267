package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.mix.LinearFlips;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Strategies;

/**
 * The data that every executor needs: the method, the head and the labelled items, as plain values.
 */
@DefaultSerializer(JavaSerializer.class)
final class SharedModel implements Serializable {
  private static final long serialVersionUID = 1;

  private final String strategy;
  private final Map<String, String> options;
  private final long seed;
  private final int features;
  private final float[] weights;
  private final float[] bias;
  private final float[] labelled;
  private final int[] labels;
  private final int classes;
  private final List<String> classNames;
  private transient LinearFlips flips;
  private transient LinearHead head;
  private transient BlockCache cache;

  /**
   * @param head null if the method needs none
   * @param labelled no rows if the method does not use them
   * @param classes 0 if the number of classes is unknown
   * @param classNames null if classes only have numbers
   */
  SharedModel(
      String strategy,
      Map<String, String> options,
      long seed,
      LinearHead head,
      FloatMatrix labelled,
      int[] labels,
      int classes,
      List<String> classNames) {
    this.strategy = strategy;
    this.options = Map.copyOf(options);
    this.seed = seed;
    this.features = labelled.columns();
    this.weights = head == null ? null : values(head.weights());
    this.bias = head == null ? null : head.bias();
    this.labelled = values(labelled);
    this.labels = labelled.rows() == 0 ? new int[0] : labels.clone();
    this.classes = classes;
    this.classNames = classNames == null ? null : List.copyOf(classNames);
  }

  private static float[] values(FloatMatrix matrix) {
    return matrix.copy().array();
  }

  int features() {
    return features;
  }

  int classes() {
    return classes;
  }

  /** Returns the name of a class; null for −1, which stands for no prediction. */
  String className(int k) {
    return k < 0 ? null : classNames == null ? Integer.toString(k) : classNames.get(k);
  }

  /** Returns a new generator; every selection starts with the same random numbers. */
  SplittableRandom random() {
    return new SplittableRandom(seed);
  }

  long seed() {
    return seed;
  }

  boolean predicts() {
    return weights != null;
  }

  /** Returns the number of bytes that are sent to each executor. */
  long bytes() {
    long floats = (weights == null ? 0 : weights.length + bias.length) + labelled.length;
    return Float.BYTES * floats;
  }

  synchronized LinearHead head() {
    if (head == null && weights != null) {
      head = new LinearHead(FloatMatrix.wrap(weights, bias.length, features), bias);
    }
    return head;
  }

  QueryStrategy strategy() {
    return Strategies.create(strategy, options);
  }

  AlfaMix.Options alfaMix() {
    return AlfaMix.ENTRY.read(options);
  }

  /** Returns the flips, which are computed once per process. */
  synchronized LinearFlips flips() {
    if (flips == null) {
      flips = new AlfaMix(alfaMix()).flips(snapshot(FloatMatrix.zeros(0, features)), random());
    }
    return flips;
  }

  /** Returns the cache of this process, which is released with the model. */
  synchronized BlockCache cache() {
    if (cache == null) {
      cache = new BlockCache();
    }
    return cache;
  }

  FloatMatrix labelled() {
    return FloatMatrix.wrap(labelled, labels.length, features);
  }

  /** Returns a snapshot of some items as a separate pool, with the whole model. */
  Snapshot snapshot(FloatMatrix items) {
    Snapshot.Builder builder = Snapshot.of(items);
    if (labels.length > 0) {
      builder.labelled(labelled(), labels);
    }
    if (classes > 0) {
      builder.classes(classes);
    }
    if (classNames != null) {
      builder.classNames(classNames);
    }
    if (head() != null) {
      builder.head(head());
    }
    return builder.build();
  }
}
