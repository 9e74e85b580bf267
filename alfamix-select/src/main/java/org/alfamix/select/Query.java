package org.alfamix.select;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.io.array.LoadedRows;
import org.alfamix.io.array.NumericArray;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;
import org.alfamix.model.DropoutSamples;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.ClassCap;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;

/**
 * Asks for the next items to label: a pool, what is known of it, and how to choose.
 *
 * <pre>{@code
 * Pool pool = PoolReader.standard().read("pool.npy");
 * Batch batch = Query.of(pool)
 *     .labels(Labels.read(Path.of("labels.csv"), pool, null, null))
 *     .head(HeadReader.read(Path.of("head.npz"), pool.features()).head())
 *     .budget(100)
 *     .run();
 * }</pre>
 *
 * <p>Wrong requests (a budget beyond the pool, a method without what it needs) end in an {@link
 * IllegalArgumentException}, unusable data in a {@link DataException}.
 */
public final class Query {
  /** A ranking of more items is not worth its time and memory. */
  private static final int MOST_TO_RANK = 1_000_000;

  /** Items whose logits are checked in double precision. */
  private static final int SAMPLED = 32;

  private final Pool pool;
  private Labels labels = Labels.none();
  private List<String> classNames;
  private LinearHead head;
  private NumericArray probabilities;
  private NumericArray dropoutProbabilities;
  private String strategyName = "alfamix";
  private Map<String, String> options = Map.of();
  private int budget = 100;
  private long seed = 1;
  private int[] excluded = {};
  private boolean normalize;
  private int perClassCap = Integer.MAX_VALUE;
  private int[] explained = {};
  private LongAdder rowsRead = new LongAdder();
  private final long mostBytes = PoolReader.defaultMostBytes();

  private Query(Pool pool) {
    this.pool = pool;
  }

  /** Begins a query on a pool. */
  public static Query of(Pool pool) {
    return new Query(pool);
  }

  public Query labels(Labels labels) {
    this.labels = labels;
    return this;
  }

  /** The names of the classes, in the order of the head's rows. */
  public Query classNames(List<String> names) {
    this.classNames = List.copyOf(names);
    return this;
  }

  /** The last layer of the model; without it one is fitted to the labels where it is needed. */
  public Query head(LinearHead head) {
    this.head = head;
    return this;
  }

  /** Class probabilities of the whole pool, items × classes. */
  public Query probabilities(NumericArray probabilities) {
    this.probabilities = probabilities;
    return this;
  }

  /** Class probabilities of the whole pool under draws of dropout, draws × items × classes. */
  public Query dropoutProbabilities(NumericArray probabilities) {
    this.dropoutProbabilities = probabilities;
    return this;
  }

  /** The method by its name in the registry, and its options by theirs. */
  public Query strategy(String name, Map<String, String> options) {
    this.strategyName = name;
    this.options = Map.copyOf(options);
    return this;
  }

  public Query budget(int budget) {
    this.budget = budget;
    return this;
  }

  public Query seed(long seed) {
    this.seed = seed;
    return this;
  }

  /** Rows that must not be picked. */
  public Query exclude(int... rows) {
    this.excluded = rows.clone();
    return this;
  }

  /** Whether to divide every embedding by its norm first. */
  public Query normalize(boolean normalize) {
    this.normalize = normalize;
    return this;
  }

  /** Most picks with the same predicted class. */
  public Query perClassCap(int cap) {
    this.perClassCap = cap;
    return this;
  }

  /** Rows of which the batch should tell why they are in it, or why not. */
  public Query explain(int... rows) {
    for (int row : rows) {
      Objects.checkIndex(row, pool.size());
    }
    this.explained = rows.clone();
    return this;
  }

  /** Counts the rows that are read while the query runs, for those who wait. */
  public Query countRowsRead(LongAdder counter) {
    this.rowsRead = counter;
    return this;
  }

  /**
   * What a query is about to work on: everything was read, checked and, where needed, fitted.
   *
   * @param eligible the rows that may be picked, ascending
   * @param remark what the user should know, or null
   */
  private record Prepared(
      QueryStrategy strategy,
      Rows embeddings,
      int[] eligible,
      FloatMatrix labelled,
      ClassNames classes,
      LinearHead head,
      double headSeconds,
      String remark) {}

  /** What {@link #run} would do, without choosing. */
  public Batch dryRun() {
    Prepared prepared = prepare();
    requirePredictions(snapshot(prepared, prepared.eligible()));
    return explained(prepared, batch(prepared, List.of(), null, 0, new LinkedHashMap<>()));
  }

  /** Chooses the batch. */
  public Batch run() {
    Prepared prepared = prepare();
    Snapshot snapshot = snapshot(prepared, prepared.eligible());
    requirePredictions(snapshot);
    long start = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    Selection selection =
        perClassCap == Integer.MAX_VALUE
            ? prepared.strategy().select(snapshot, budget, random)
            : prepared
                .strategy()
                .select(snapshot, budget, ClassCap.of(snapshot, perClassCap), random);
    List<Pick> picks = inPool(selection.picks(), prepared.eligible());
    double seconds = (System.nanoTime() - start) / 1e9;
    return explained(prepared, batch(prepared, picks, selection, seconds, selection.notes()));
  }

  /** Adds the explanations that were asked for; they do not touch what was chosen. */
  private Batch explained(Prepared prepared, Batch batch) {
    if (explained.length == 0) {
      return batch;
    }
    FloatMatrix labelled = prepared.embeddings().gather(labels.rows());
    ClassNames classes = prepared.classes();
    LinearHead model = prepared.head();
    String remark = null;
    if (model == null && IntStream.of(classes.labels()).distinct().count() > 1) {
      HeadFit fit = HeadFit.of(labels, labelled, classes);
      model = fit.head();
      remark =
          "no head was given: the explanations go by a logistic one fitted to " + fit.description();
    }
    Snapshot.Builder builder = Snapshot.of(FloatMatrix.zeros(0, pool.features()));
    if (classes.count() > 0) {
      builder.classes(classes.count()).labelled(labelled, classes.labels());
    }
    if (model != null) {
      builder.head(model);
    }
    Explainer explainer =
        new Explainer(
            batch,
            labels,
            prepared.embeddings(),
            builder.build(),
            Optional.ofNullable(probabilities).map(NumericArray::rows),
            perClassCap,
            () -> ranking(prepared, batch));
    return batch.explained(IntStream.of(explained).mapToObj(explainer::explain).toList(), remark);
  }

  /** All items in the order of a method that only ranks; empty for others and for huge pools. */
  private List<Pick> ranking(Prepared prepared, Batch batch) {
    int[] rows = prepared.eligible();
    if (batch.selection() == null || !prepared.strategy().ranks() || rows.length > MOST_TO_RANK) {
      return List.of();
    }
    Snapshot snapshot = snapshot(prepared, rows);
    SplittableRandom random = new SplittableRandom(seed);
    return inPool(prepared.strategy().select(snapshot, rows.length, random).picks(), rows);
  }

  private Batch batch(
      Prepared prepared,
      List<Pick> picks,
      Selection selection,
      double seconds,
      Map<String, String> notes) {
    return new Batch(
        pool,
        picks,
        prepared.classes().names(),
        prepared.classes().count(),
        strategyName,
        effectiveOptions(),
        budget,
        seed,
        labels.size(),
        prepared.eligible(),
        selection,
        notes,
        List.of(),
        prepared.remark(),
        prepared.headSeconds(),
        seconds);
  }

  private Map<String, String> effectiveOptions() {
    Map<String, String> result = new LinkedHashMap<>(Strategies.named(strategyName).options());
    result.replaceAll(options::getOrDefault);
    return result;
  }

  private Prepared prepare() {
    QueryStrategy strategy = Strategies.create(strategyName, options);
    requireAtLeastOne(budget, "The budget");
    requireAtLeastOne(perClassCap, "The cap per class");
    int[] labelledRows = labels.rows();
    int[] rows = unlabelledRows(labelledRows);
    if (budget > rows.length) {
      throw new IllegalArgumentException(
          "The budget of %d exceeds the %d unlabelled items of the pool."
                  .formatted(budget, rows.length)
              + (excluded.length > 0 ? " (" + excluded.length + " are excluded.)" : ""));
    }
    checkShapes();
    Rows embeddings =
        new CountedRows(
            normalize
                ? LoadedRows.loadIfWithin(mostBytes, pool.embeddings().normalized())
                : pool.embeddings(),
            rowsRead);
    ClassNames classes = ClassNames.of(labels, classNames, columns(), columnsOf());
    if (labels.size() == 0) {
      HeadFit.requireMeansForNothingLabelled(strategy, head == null && needsHead(strategy));
    }
    requireUsable(embeddings, labelledRows);
    // All labelled items are brought into memory only for those who look at them.
    boolean used = strategy.usesLabelled() || (head == null && needsHead(strategy));
    FloatMatrix labelled = embeddings.gather(used ? labelledRows : new int[0]);
    LinearHead model = head;
    String remark = null;
    double headSeconds = 0;
    if (model == null && needsHead(strategy)) {
      long start = System.nanoTime();
      HeadFit fit = HeadFit.of(labels, labelled, classes);
      model = fit.head();
      headSeconds = (System.nanoTime() - start) / 1e9;
      remark = fit.remark();
    }
    if (head != null) {
      int count = Math.min(labelledRows.length, HeadFit.MOST_TO_SUSPECT);
      FloatMatrix some = embeddings.gather(Arrays.copyOf(labelledRows, count));
      remark = HeadFit.suspicion(head, some, classes.labels());
    }
    if (model != null) {
      remark = joined(remark, HeadFit.precisionWarning(model, embeddings.gather(sample(rows))));
    }
    return new Prepared(strategy, embeddings, rows, labelled, classes, model, headSeconds, remark);
  }

  /** Joins those remarks that are not null; returns null where there are none. */
  private static String joined(String... remarks) {
    String all = Stream.of(remarks).filter(Objects::nonNull).collect(Collectors.joining("; "));
    return all.isEmpty() ? null : all;
  }

  /** Some of the eligible rows, evenly spaced. */
  private static int[] sample(int[] rows) {
    int count = Math.min(rows.length, SAMPLED);
    return IntStream.range(0, count)
        .map(i -> rows[(int) ((long) i * rows.length / count)])
        .toArray();
  }

  private static void requireAtLeastOne(int value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " must be at least 1, got " + value + ".");
    }
  }

  private int[] unlabelledRows(int[] labelledRows) {
    BitSet taken = new BitSet(pool.size());
    IntStream.of(labelledRows).forEach(taken::set);
    IntStream.of(excluded).forEach(taken::set);
    return IntStream.range(0, pool.size()).filter(row -> !taken.get(row)).toArray();
  }

  private void checkShapes() {
    if (probabilities != null) {
      requireRows(probabilities.requireDimensions(2), 0);
    }
    if (dropoutProbabilities != null) {
      requireRows(dropoutProbabilities.requireDimensions(3), 1);
    }
  }

  private void requireRows(NumericArray array, int dimension) {
    if (array.shape()[dimension] != pool.size()) {
      throw new DataException(
          "%s: %s, expected %s, with as many items as the pool has, %d."
              .formatted(
                  array.name(),
                  array.shapeInWords(),
                  dimension == 0 ? "items x classes" : "draws x items x classes",
                  pool.size()));
    }
  }

  private int columns() {
    if (head != null) {
      return head.classes();
    }
    if (probabilities != null) {
      return Math.toIntExact(probabilities.shape()[1]);
    }
    return dropoutProbabilities == null ? 0 : Math.toIntExact(dropoutProbabilities.shape()[2]);
  }

  private String columnsOf() {
    if (head != null) {
      return "the head";
    }
    return probabilities != null
        ? probabilities.name()
        : dropoutProbabilities == null ? "" : dropoutProbabilities.name();
  }

  /** Whether the method asks for a model that was not given in any form. */
  private boolean needsHead(QueryStrategy strategy) {
    return HeadFit.isNeeded(strategy, probabilities != null, dropoutProbabilities != null);
  }

  /** A bad value among the labelled rows is named by its place in the file. */
  private static void requireUsable(Rows embeddings, int[] labelledRows) {
    try {
      Snapshot.of(embeddings.subset(labelledRows)).build();
    } catch (IllegalArgumentException e) {
      throw new DataException(e.getMessage().replaceFirst("^unlabelled ", "labelled "), e);
    }
  }

  private Snapshot snapshot(Prepared prepared, int[] rows) {
    try {
      Snapshot.Builder builder = Snapshot.of(prepared.embeddings().subset(rows));
      if (prepared.labelled().rows() > 0) {
        builder.labelled(prepared.labelled(), prepared.classes().labels());
      }
      if (prepared.classes().count() > 0) {
        builder.classes(prepared.classes().count());
      }
      if (prepared.classes().names() != null) {
        builder.classNames(prepared.classes().names());
      }
      if (prepared.head() != null) {
        builder.head(prepared.head());
      }
      if (probabilities != null) {
        Rows all = LoadedRows.loadIfWithin(mostBytes, probabilities.rows());
        builder.probabilities(all.subset(rows));
        if (prepared.labelled().rows() > 0) {
          builder.labelledProbabilities(all.gather(labels.rows()));
        }
      }
      if (dropoutProbabilities != null) {
        Rows[] samples = dropoutProbabilities.matrices();
        for (int t = 0; t < samples.length; t++) {
          samples[t] = samples[t].subset(rows);
        }
        builder.dropoutSamples(DropoutSamples.of(samples));
      }
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new DataException(e.getMessage(), e);
    }
  }

  private void requirePredictions(Snapshot snapshot) {
    if (perClassCap < Integer.MAX_VALUE && !snapshot.hasProbabilities()) {
      throw new IllegalArgumentException(
          "A cap per class needs predictions: give a head or probabilities.");
    }
  }

  /** The same picks by their rows in the pool instead of among the unlabelled. */
  private static List<Pick> inPool(List<Pick> picks, int[] rows) {
    return picks.stream()
        .map(
            pick ->
                new Pick(
                    rows[pick.item()],
                    pick.score(),
                    pick.cluster(),
                    pick.predicted(),
                    pick.reason()))
        .toList();
  }
}
