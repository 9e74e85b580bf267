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
 * What a model knows at one moment: the embeddings of the unlabelled pool, those of the labelled
 * items with their labels, and what maps embeddings to classes.
 *
 * <p>Everything a query strategy may use is in here, as plain values; sizes, labels and finiteness
 * were checked when it was built, so a strategy need not check them again. Items are named by their
 * row.
 */
public final class Snapshot {
  private static final int PREDICTED = 256;

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
   * Returns a view of this snapshot with some of its unlabelled items. Nothing is copied or checked
   * again.
   *
   * @param items the items that are kept, ascending; item i of the result is {@code items[i]} here
   */
  public Snapshot subset(int[] items) {
    return new Snapshot(this, items);
  }

  /** Begins a snapshot of a pool. */
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
    int most = 0;
    for (int label : labels) {
      most = Math.max(most, label + 1);
    }
    return most;
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

  private static void requireEqual(String what, int found, int expected) {
    if (found != expected) {
      throw new InvalidDataException("%s: %d, expected %d.".formatted(what, found, expected));
    }
  }

  private void checkLabels() {
    for (int i = 0; i < labels.length; i++) {
      if (labels[i] < 0 || labels[i] >= classes) {
        throw new InvalidDataException(
            "Label of labelled item %d is %d, expected 0 to %d."
                .formatted(i, labels[i], classes - 1));
      }
    }
  }

  /** Number of unlabelled items. */
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

  /** A copy of the labels of the labelled items. */
  public int[] labels() {
    return labels.clone();
  }

  public Optional<Head> head() {
    return Optional.ofNullable(head);
  }

  public Optional<DropoutSamples> dropoutSamples() {
    return Optional.ofNullable(dropoutSamples);
  }

  /** The whole network, for those who look at its inputs. */
  public Optional<Network> network() {
    return Optional.ofNullable(network);
  }

  /** What the network takes in for each unlabelled item; there where the network is. */
  public Optional<Rows> inputs() {
    return Optional.ofNullable(inputs);
  }

  /** What to call a class in front of people. */
  public String className(int k) {
    return classNames == null ? Integer.toString(k) : classNames.get(k);
  }

  /** Whether class probabilities can be had, given or by the head. */
  public boolean hasProbabilities() {
    return probabilities != null || head != null;
  }

  /** Class probabilities of the unlabelled items {@code from} to {@code to}, one row each. */
  public FloatMatrix probabilities(int from, int to) {
    if (probabilities != null) {
      return probabilities.slice(from, to);
    }
    return probabilitiesOf(unlabelled.slice(from, to));
  }

  /** Class probabilities of the labelled items, given or by the head, where they can be had. */
  public Optional<Rows> labelledProbabilities() {
    if (labelledProbabilities != null) {
      return Optional.of(labelledProbabilities);
    }
    return head == null ? Optional.empty() : Optional.of(probabilitiesOf(labelled));
  }

  /** Class probabilities of any embeddings, by the head. */
  public FloatMatrix probabilitiesOf(FloatMatrix embeddings) {
    if (head == null) {
      throw new IllegalStateException("This snapshot has no head.");
    }
    FloatMatrix result = head.logits(embeddings);
    Kernels.softmaxRows(result);
    return result;
  }

  /** Class probabilities of some unlabelled items, one row each. */
  public FloatMatrix probabilitiesAt(int[] items) {
    return probabilities != null
        ? probabilities.gather(items)
        : probabilitiesOf(unlabelled.gather(items));
  }

  /** The predicted class of an unlabelled item, or −1 where the snapshot cannot predict. */
  public int predict(int item) {
    return predict(new int[] {item})[0];
  }

  /** The predicted classes of some unlabelled items, or −1 where the snapshot cannot predict. */
  public int[] predict(int[] items) {
    int[] result = new int[items.length];
    Arrays.fill(result, -1);
    if (hasProbabilities()) {
      Parallel.forBlocks(
          items.length,
          PREDICTED,
          (from, to) -> {
            FloatMatrix p = probabilitiesAt(Arrays.copyOfRange(items, from, to));
            for (int i = from; i < to; i++) {
              result[i] = Kernels.argmax(p.array(), p.rowOffset(i - from), p.columns());
            }
          });
    }
    return result;
  }

  /** Collects the parts of a snapshot; all but the pool are optional. */
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

    /** Embeddings of the labelled items and their classes, numbered from 0. */
    public Builder labelled(FloatMatrix embeddings, int... labels) {
      this.labelled = embeddings;
      this.labels = labels;
      return this;
    }

    public Builder head(Head head) {
      this.head = head;
      return this;
    }

    /** Class probabilities of the pool, for those who have no head to give. */
    public Builder probabilities(Rows probabilities) {
      this.probabilities = probabilities;
      return this;
    }

    /** Class probabilities of the labelled items, beside those of the pool. */
    public Builder labelledProbabilities(FloatMatrix probabilities) {
      this.labelledProbabilities = probabilities;
      return this;
    }

    public Builder dropoutSamples(DropoutSamples samples) {
      this.dropoutSamples = samples;
      return this;
    }

    /** The whole network, and what it takes in for each unlabelled item. */
    public Builder network(Network network, Rows inputs) {
      this.network = Objects.requireNonNull(network, "network");
      this.inputs = Objects.requireNonNull(inputs, "inputs");
      return this;
    }

    /** Number of classes, where neither a head nor probabilities tell it. */
    public Builder classes(int classes) {
      if (classes < 1) {
        throw new IllegalArgumentException("classes must be at least 1, got " + classes + ".");
      }
      this.classes = classes;
      return this;
    }

    /** Names of the classes, in the order of their numbers. */
    public Builder classNames(List<String> names) {
      this.classNames = List.copyOf(names);
      return this;
    }

    public Snapshot build() {
      return new Snapshot(this);
    }
  }
}
