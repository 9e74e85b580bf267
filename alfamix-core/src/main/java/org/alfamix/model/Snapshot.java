package org.alfamix.model;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/**
 * The state of a model at one point in time: the embeddings of the unlabelled pool, the embeddings
 * and labels of the labelled items, and the head that maps embeddings to classes.
 *
 * <p>It contains everything that a query strategy may use, as plain values. Sizes, labels and
 * finiteness are checked when it is built, so strategies need not check them again. Items are
 * identified by their row.
 */
public final class Snapshot {
  private static final int PREDICTION_BLOCK = 256;

  private final Rows unlabelled;
  private final FloatMatrix labelled;
  private final int[] labels;
  private final int classes;
  private final List<String> classNames;
  private final Head head;
  private final Rows probabilities;
  private final FloatMatrix labelledProbabilities;
  private final DropoutSamples dropoutSamples;
  private final Rows inputs;
  private final Network network;

  private Snapshot(Builder builder) {
    this.unlabelled = builder.unlabelled;
    this.labelled =
        builder.labelled == null ? FloatMatrix.zeros(0, unlabelled.columns()) : builder.labelled;
    this.labels = builder.labels.clone();
    this.head =
        builder.head == null || builder.head instanceof LinearHead
            ? builder.head
            : new CheckedHead(builder.head);
    this.probabilities = builder.probabilities;
    this.labelledProbabilities = builder.labelledProbabilities;
    this.dropoutSamples = builder.dropoutSamples;
    this.inputs = builder.inputs;
    this.network =
        builder.network == null || builder.network instanceof ReluNetwork
            ? builder.network
            : new CheckedNetwork(builder.network);
    this.classes = countClasses(builder.classes);
    this.classNames = builder.classNames;
    checkSizes();
    checkLabels();
    FiniteValues.requireUsable(unlabelled, "unlabelled embeddings");
    FiniteValues.requireUsable(labelled, "labelled embeddings");
    if (probabilities != null) {
      FiniteValues.requireProbabilities(probabilities, "probabilities");
    }
    if (labelledProbabilities != null) {
      FiniteValues.requireProbabilities(labelledProbabilities, "labelled probabilities");
    }
    if (inputs != null) {
      FiniteValues.requireUsable(inputs, "inputs of the network");
    }
  }

  private Snapshot(Snapshot whole, int[] items) {
    this.unlabelled = whole.unlabelled.subset(items);
    this.labelled = whole.labelled;
    this.labels = whole.labels;
    this.head = whole.head;
    this.probabilities = whole.probabilities == null ? null : whole.probabilities.subset(items);
    this.labelledProbabilities = whole.labelledProbabilities;
    this.dropoutSamples = whole.dropoutSamples == null ? null : whole.dropoutSamples.subset(items);
    this.inputs = whole.inputs == null ? null : whole.inputs.subset(items);
    this.network = whole.network;
    this.classes = whole.classes;
    this.classNames = whole.classNames;
  }

  /**
   * Returns a view of this snapshot with a subset of its unlabelled items. Nothing is copied or
   * checked again.
   *
   * @param items the items to keep, ascending; item i of the result is {@code items[i]} of this
   *     snapshot
   */
  public Snapshot subset(int[] items) {
    return new Snapshot(this, items);
  }

  /** Returns a builder of a snapshot with the given pool. */
  public static Builder of(Rows unlabelled) {
    return new Builder(unlabelled);
  }

  private int countClasses(int given) {
    if (given > 0) {
      return given;
    }
    if (head != null) {
      return head.classes();
    }
    if (probabilities != null) {
      return probabilities.columns();
    }
    if (network != null) {
      return network.classes();
    }
    int count = 0;
    for (int label : labels) {
      count = Math.max(count, label + 1);
    }
    return count;
  }

  private void checkSizes() {
    requireEqual("features of labelled embeddings", labelled.columns(), unlabelled.columns());
    requireEqual("number of labels", labels.length, labelled.rows());
    if (head != null) {
      requireEqual("features of the head", head.features(), unlabelled.columns());
      requireEqual("classes of the head", head.classes(), classes);
    }
    if (probabilities != null) {
      requireEqual("rows of probabilities", probabilities.rows(), unlabelled.rows());
      requireEqual("columns of probabilities", probabilities.columns(), classes);
    }
    if (labelledProbabilities != null) {
      requireEqual("rows of labelled probabilities", labelledProbabilities.rows(), labelled.rows());
      requireEqual("columns of labelled probabilities", labelledProbabilities.columns(), classes);
    }
    if (dropoutSamples != null) {
      requireEqual("items of the dropout samples", dropoutSamples.size(), unlabelled.rows());
      if (unlabelled.rows() > 0) {
        int columns = dropoutSamples.probabilities(0, 0, 1).columns();
        requireEqual("classes of the dropout samples", columns, classes);
      }
    }
    if (network != null) {
      requireEqual("rows of the network's inputs", inputs.rows(), unlabelled.rows());
      requireEqual("length of the network's inputs", inputs.columns(), network.inputs());
      requireEqual("classes of the network", network.classes(), classes);
    }
    if (classNames != null) {
      requireEqual("number of class names", classNames.size(), classes);
    }
  }

  private static void requireEqual(String name, int found, int expected) {
    if (found != expected) {
      throw new InvalidDataException("%s: expected %d, found %d.".formatted(name, expected, found));
    }
  }

  private void checkLabels() {
    for (int i = 0; i < labels.length; i++) {
      if (labels[i] < 0 || labels[i] >= classes) {
        throw new InvalidDataException(
            "labelled item %d: expected a label from 0 to %d, found %d."
                .formatted(i, classes - 1, labels[i]));
      }
    }
  }

  /** Returns the number of unlabelled items. */
  public int size() {
    return unlabelled.rows();
  }

  public int features() {
    return unlabelled.columns();
  }

  public int classes() {
    return classes;
  }

  public Rows unlabelled() {
    return unlabelled;
  }

  public FloatMatrix labelled() {
    return labelled;
  }

  /** Returns a copy of the labels of the labelled items. */
  public int[] labels() {
    return labels.clone();
  }

  public Optional<Head> head() {
    return Optional.ofNullable(head);
  }

  public Optional<DropoutSamples> dropoutSamples() {
    return Optional.ofNullable(dropoutSamples);
  }

  /** Returns the whole network, for strategies that perturb its inputs. */
  public Optional<Network> network() {
    return Optional.ofNullable(network);
  }

  /** Returns the network input of each unlabelled item; present if the network is. */
  public Optional<Rows> inputs() {
    return Optional.ofNullable(inputs);
  }

  /** Returns the display name of a class. */
  public String className(int k) {
    return classNames == null ? Integer.toString(k) : classNames.get(k);
  }

  /** Returns whether class probabilities are available, either given or computed by the head. */
  public boolean hasProbabilities() {
    return probabilities != null || head != null;
  }

  /**
   * Returns the class probabilities of the unlabelled items {@code from} (inclusive) to {@code to}
   * (exclusive), one row each.
   */
  public FloatMatrix probabilities(int from, int to) {
    if (probabilities != null) {
      return probabilities.slice(from, to);
    }
    return probabilitiesOf(unlabelled.slice(from, to));
  }

  /** Returns the class probabilities of the labelled items, given or computed, if available. */
  public Optional<Rows> labelledProbabilities() {
    if (labelledProbabilities != null) {
      return Optional.of(labelledProbabilities);
    }
    return head == null ? Optional.empty() : Optional.of(probabilitiesOf(labelled));
  }

  /** Computes class probabilities of the given embeddings with the head. */
  public FloatMatrix probabilitiesOf(FloatMatrix embeddings) {
    if (head == null) {
      throw new IllegalStateException("This snapshot has no head.");
    }
    FloatMatrix result = head.logits(embeddings);
    Kernels.softmaxRows(result);
    return result;
  }

  /** Returns the class probabilities of the given unlabelled items, one row each. */
  public FloatMatrix probabilitiesAt(int[] items) {
    return probabilities != null
        ? probabilities.gather(items)
        : probabilitiesOf(unlabelled.gather(items));
  }

  /** Returns the predicted class of an unlabelled item, or −1 if the snapshot cannot predict. */
  public int predict(int item) {
    return predict(new int[] {item})[0];
  }

  /** Returns the predicted classes of unlabelled items, or −1 if the snapshot cannot predict. */
  public int[] predict(int[] items) {
    int[] result = new int[items.length];
    Arrays.fill(result, -1);
    if (hasProbabilities()) {
      Parallel.forBlocks(
          items.length,
          PREDICTION_BLOCK,
          (from, to) -> {
            FloatMatrix p = probabilitiesAt(Arrays.copyOfRange(items, from, to));
            for (int i = from; i < to; i++) {
              result[i] = Kernels.argmax(p.array(), p.rowOffset(i - from), p.columns());
            }
          });
    }
    return result;
  }

  /** A builder of snapshots; everything but the pool is optional. */
  public static final class Builder {
    private final Rows unlabelled;
    private FloatMatrix labelled;
    private int[] labels = {};
    private int classes;
    private List<String> classNames;
    private Head head;
    private Rows probabilities;
    private FloatMatrix labelledProbabilities;
    private DropoutSamples dropoutSamples;
    private Rows inputs;
    private Network network;

    private Builder(Rows unlabelled) {
      this.unlabelled = unlabelled;
    }

    /** Sets the embeddings of the labelled items and their classes, numbered from 0. */
    public Builder labelled(FloatMatrix embeddings, int... labels) {
      this.labelled = embeddings;
      this.labels = labels;
      return this;
    }

    public Builder head(Head head) {
      this.head = head;
      return this;
    }

    /** Sets the class probabilities of the pool, for snapshots without a head. */
    public Builder probabilities(Rows probabilities) {
      this.probabilities = probabilities;
      return this;
    }

    /** Sets the class probabilities of the labelled items, in addition to those of the pool. */
    public Builder labelledProbabilities(FloatMatrix probabilities) {
      this.labelledProbabilities = probabilities;
      return this;
    }

    public Builder dropoutSamples(DropoutSamples samples) {
      this.dropoutSamples = samples;
      return this;
    }

    /** Sets the whole network and its input for each unlabelled item. */
    public Builder network(Network network, Rows inputs) {
      this.network = Objects.requireNonNull(network, "network");
      this.inputs = Objects.requireNonNull(inputs, "inputs");
      return this;
    }

    /** Sets the number of classes, if it follows neither from a head nor from probabilities. */
    public Builder classes(int classes) {
      if (classes < 1) {
        throw new IllegalArgumentException("classes must be at least 1, got " + classes + ".");
      }
      this.classes = classes;
      return this;
    }

    /** Sets the names of the classes, in the order of their numbers. */
    public Builder classNames(List<String> names) {
      this.classNames = List.copyOf(names);
      return this;
    }

    public Snapshot build() {
      return new Snapshot(this);
    }
  }
}
