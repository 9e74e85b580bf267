package org.alfamix.select;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.alfamix.io.DataException;
import org.alfamix.io.array.NumericArray;
import org.alfamix.model.Head;
import org.alfamix.strategy.ConfiguredStrategy;
import org.alfamix.strategy.QueryStrategy;

/**
 * A request for the next items to label: a pool, its labels and model, and a strategy.
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
 * <p>A request that cannot be fulfilled (a budget larger than the pool, a missing input of the
 * strategy) throws {@link org.alfamix.error.InvalidRequestException}, invalid data throw {@link
 * DataException}.
 */
public final class Query {
  final Pool pool;
  Labels labels = Labels.none();
  List<String> classNames;
  Head head;
  NumericArray probabilities;
  NumericArray dropoutProbabilities;
  ConfiguredStrategy strategy = ConfiguredStrategy.of("alfamix", Map.of());
  int budget = 100;
  long seed = 1;
  int[] excluded = {};
  boolean normalize;
  int perClassCap = SelectionRound.NO_CAP;
  int[] explained = {};
  LongAdder rowsRead = new LongAdder();

  private Query(Pool pool) {
    this.pool = pool;
  }

  /** Returns a query on a pool. */
  public static Query of(Pool pool) {
    return new Query(pool);
  }

  public Query labels(Labels labels) {
    this.labels = labels;
    return this;
  }

  /** Sets the names of the classes, in the order of the head's rows. */
  public Query classNames(List<String> names) {
    this.classNames = List.copyOf(names);
    return this;
  }

  /** Sets the last layer of the model; by default one is fitted to the labels if it is needed. */
  public Query head(Head head) {
    this.head = head;
    return this;
  }

  /** Sets the class probabilities of the whole pool, items × classes. */
  public Query probabilities(NumericArray probabilities) {
    this.probabilities = probabilities;
    return this;
  }

  /** Sets the class probabilities of the whole pool under dropout, samples × items × classes. */
  public Query dropoutProbabilities(NumericArray probabilities) {
    this.dropoutProbabilities = probabilities;
    return this;
  }

  /** Sets the strategy by its name in the registry, with options by name. */
  public Query strategy(String name, Map<String, String> options) {
    return strategy(ConfiguredStrategy.of(name, options));
  }

  /** Sets a strategy of your own, which need not be in the registry. */
  public Query strategy(QueryStrategy own) {
    return strategy(ConfiguredStrategy.of(own));
  }

  /** Sets the strategy, with the options that results record. */
  public Query strategy(ConfiguredStrategy configured) {
    this.strategy = configured;
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

  /** Sets rows that must not be picked. */
  public Query exclude(int... rows) {
    this.excluded = rows.clone();
    return this;
  }

  /** Sets whether to divide every embedding by its norm. */
  public Query normalize(boolean normalize) {
    this.normalize = normalize;
    return this;
  }

  /** Sets the maximum number of picks with the same predicted class. */
  public Query perClassCap(int cap) {
    this.perClassCap = cap;
    return this;
  }

  /** Sets rows to explain in the batch. */
  public Query explain(int... rows) {
    for (int row : rows) {
      Objects.checkIndex(row, pool.size());
    }
    this.explained = rows.clone();
    return this;
  }

  /** Sets a counter of the rows that are read, for a progress display. */
  public Query countRowsRead(LongAdder counter) {
    this.rowsRead = counter;
    return this;
  }

  /** Reads and validates all inputs as {@link #run} does, without selecting. */
  public Batch dryRun() {
    return new QueryRun(this).describe();
  }

  /** Selects the batch. */
  public Batch run() {
    return new QueryRun(this).select();
  }
}
