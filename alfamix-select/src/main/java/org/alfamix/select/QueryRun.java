package org.alfamix.select;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.array.LoadedRows;
import org.alfamix.io.array.NumericArray;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;
import org.alfamix.model.DropoutSamples;
import org.alfamix.model.Head;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;

/** Runs a {@link Query}: validates it, fits a head if necessary, and runs a round. */
final class QueryRun {
  /** The largest pool that is ranked completely for explanations. */
  private static final int MAX_TO_RANK = 1_000_000;

  /** Items whose logits are checked in double precision. */
  private static final int SAMPLED = 32;

  private final Query query;
  private final QueryStrategy strategy;
  private final long maxBytes = PoolReader.defaultMaxBytes();
  private final Rows embeddings;
  private final KnownModel known;
  private final String remark;
  private final SelectionRound round;

  QueryRun(Query query) {
    this.query = query;
    this.strategy = query.strategy.strategy();
    requireAtLeastOne(query.budget, "budget");
    requireAtLeastOne(query.perClassCap, "perClassCap");
    PoolState unlabelled = PoolState.unlabelled(query.pool.size()).exclude(query.excluded);
    int[] eligible = unlabelled.exclude(query.labels.rows()).eligible();
    requireBudget(eligible.length);
    checkShapes();
    this.embeddings =
        new CountedRows(
            query.normalize
                ? LoadedRows.loadIfWithin(maxBytes, query.pool.embeddings().normalized())
                : query.pool.embeddings(),
            query.rowsRead);
    this.known = KnownModel.of(strategy, query.labels, this::labelled, given());
    this.remark = joined(known.remark(), precisionWarning(eligible));
    PoolState state = unlabelled.label(query.labels.rows(), known.classes().labels());
    this.round = new SelectionRound(strategy, state, this::snapshot);
    if (query.perClassCap != SelectionRound.NO_CAP && !round.snapshot().hasProbabilities()) {
      throw new InvalidRequestException(
          "perClassCap", "needs predictions: provide a head or probabilities.");
    }
  }

  /** Returns a batch without picks. */
  Batch describe() {
    return explained(batch(List.of(), Optional.empty()));
  }

  Batch select() {
    SelectionRound.Outcome outcome =
        round.select(query.budget, query.perClassCap, new SplittableRandom(query.seed));
    return explained(batch(outcome.picks(), Optional.of(outcome)));
  }

  private static void requireAtLeastOne(int value, String parameter) {
    if (value < 1) {
      throw new InvalidRequestException(parameter, "must be at least 1, got " + value + ".");
    }
  }

  private void requireBudget(int eligible) {
    if (query.budget > eligible) {
      throw new InvalidRequestException(
          "budget",
          "is %,d, but the pool has only %,d unlabelled items%s."
              .formatted(
                  query.budget,
                  eligible,
                  query.excluded.length > 0
                      ? " (%,d are excluded)".formatted(query.excluded.length)
                      : ""));
    }
  }

  private void checkShapes() {
    if (query.probabilities != null) {
      requireRows(query.probabilities.requireDimensions(2), 0);
    }
    if (query.dropoutProbabilities != null) {
      requireRows(query.dropoutProbabilities.requireDimensions(3), 1);
    }
  }

  private void requireRows(NumericArray array, int dimension) {
    if (array.shape()[dimension] != query.pool.size()) {
      throw new DataException(
          "%s: shape %s, expected %s with %d items, the size of the pool."
              .formatted(
                  array.name(),
                  array.formatShape(),
                  dimension == 0 ? "items x classes" : "samples x items x classes",
                  query.pool.size()));
    }
  }

  private KnownModel.Given given() {
    NumericArray array =
        query.probabilities != null ? query.probabilities : query.dropoutProbabilities;
    int columns =
        query.head != null
            ? query.head.classes()
            : array == null ? 0 : Math.toIntExact(array.shape()[array.shape().length - 1]);
    String columnsOf = query.head != null ? "the head" : array == null ? "" : array.name();
    return new KnownModel.Given(
        query.head,
        query.classNames,
        columns,
        columnsOf,
        query.probabilities != null,
        query.dropoutProbabilities != null);
  }

  /**
   * Returns the first labelled embeddings; an invalid value among all of them is reported with its
   * place.
   */
  private FloatMatrix labelled(int count) {
    int[] rows = query.labels.rows();
    try {
      if (count < rows.length) {
        Snapshot.of(embeddings.subset(rows)).build();
        return embeddings.gather(Arrays.copyOf(rows, count));
      }
      FloatMatrix read = embeddings.gather(rows);
      Snapshot.of(new CopiedRows(read, embeddings, rows)).build();
      return read;
    } catch (InvalidDataException e) {
      throw new DataException(e.getMessage().replaceFirst("^unlabelled ", "labelled "), e);
    }
  }

  private String precisionWarning(int[] eligible) {
    Head head = known.head();
    return head == null
        ? null
        : HeadFit.precisionWarning(head, embeddings.gather(sample(eligible)));
  }

  /** Returns some of the eligible rows, evenly spaced. */
  private static int[] sample(int[] rows) {
    int count = Math.min(rows.length, SAMPLED);
    return IntStream.range(0, count)
        .map(i -> rows[(int) ((long) i * rows.length / count)])
        .toArray();
  }

  /** Joins those remarks that are not null; returns null if all are null. */
  private static String joined(String... remarks) {
    String all = Stream.of(remarks).filter(Objects::nonNull).collect(Collectors.joining("; "));
    return all.isEmpty() ? null : all;
  }

  private Snapshot snapshot(int[] eligible, int[] labelledRows, int[] labels) {
    try {
      Snapshot.Builder builder = Snapshot.of(embeddings.subset(eligible));
      if (known.labelled().rows() > 0) {
        builder.labelled(known.labelled(), labels);
      }
      if (known.classes().count() > 0) {
        builder.classes(known.classes().count());
      }
      if (known.classes().names() != null) {
        builder.classNames(known.classes().names());
      }
      if (known.head() != null) {
        builder.head(known.head());
      }
      if (query.probabilities != null) {
        Rows all = LoadedRows.loadIfWithin(maxBytes, query.probabilities.rows());
        builder.probabilities(all.subset(eligible));
        if (known.labelled().rows() > 0) {
          builder.labelledProbabilities(all.gather(labelledRows));
        }
      }
      if (query.dropoutProbabilities != null) {
        Rows[] samples = query.dropoutProbabilities.matrices();
        for (int t = 0; t < samples.length; t++) {
          samples[t] = samples[t].subset(eligible);
        }
        builder.dropoutSamples(DropoutSamples.of(samples));
      }
      return builder.build();
    } catch (InvalidDataException e) {
      throw new DataException(e.getMessage(), e);
    }
  }

  private Batch batch(List<Pick> picks, Optional<SelectionRound.Outcome> outcome) {
    ClassNames classes = known.classes();
    return new Batch(
        new PickList(query.pool, picks, classes.names(), strategy.name()),
        new BatchRequest(strategy.name(), query.strategy.options(), query.budget, query.seed),
        new BatchScope(query.labels.size(), classes.count(), round.eligible()),
        outcome.map(SelectionRound.Outcome::selection),
        new Batch.Times(
            known.fitSeconds(), outcome.map(SelectionRound.Outcome::seconds).orElse(0.0)),
        List.of(),
        remark);
  }

  /** Adds the requested explanations without changing the picks. */
  private Batch explained(Batch batch) {
    if (query.explained.length == 0) {
      return batch;
    }
    int[] rows = query.labels.rows();
    FloatMatrix labelled =
        known.labelled().rows() == rows.length ? known.labelled() : embeddings.gather(rows);
    ClassNames classes = known.classes();
    Head head = known.head();
    String note = null;
    if (head == null && IntStream.of(classes.labels()).distinct().count() > 1) {
      HeadFit fit = HeadFit.of(query.labels, labelled, classes);
      head = fit.head();
      note =
          "no head was given; the explanations use a logistic head fitted to " + fit.description();
    }
    Snapshot.Builder builder = Snapshot.of(FloatMatrix.zeros(0, query.pool.features()));
    if (classes.count() > 0) {
      builder.classes(classes.count()).labelled(labelled, classes.labels());
    }
    if (head != null) {
      builder.head(head);
    }
    Explainer explainer =
        new Explainer(
            batch,
            query.labels,
            embeddings,
            builder.build(),
            Optional.ofNullable(query.probabilities).map(NumericArray::rows),
            query.perClassCap,
            () -> ranking(batch));
    return batch.explained(
        IntStream.of(query.explained).mapToObj(explainer::explain).toList(), note);
  }

  /**
   * Returns all items in the order of a ranking strategy; empty for other strategies and for very
   * large pools.
   */
  private List<Pick> ranking(Batch batch) {
    int count = batch.scope().eligible().length;
    return batch.selection().isEmpty() || !strategy.ranks() || count > MAX_TO_RANK
        ? List.of()
        : round.select(count, new SplittableRandom(query.seed)).picks();
  }
}
