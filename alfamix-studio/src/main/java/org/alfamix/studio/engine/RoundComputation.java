package org.alfamix.studio.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.cluster.Clustering;
import org.alfamix.cluster.KMeans;
import org.alfamix.inspect.Inspection;
import org.alfamix.inspect.Inspector;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.model.Snapshot;
import org.alfamix.projection.Pca;
import org.alfamix.select.PoolState;
import org.alfamix.select.SelectionRound;
import org.alfamix.strategy.Criterion;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.QueuedPick.Cause;
import org.alfamix.studio.store.Store;
import org.alfamix.studio.store.TrainingRound;

/** Computes the next round of a project from its labels: trains, tests and selects. */
final class RoundComputation {
  /** Streams of random numbers of a project. */
  private static final int COLD = 1;

  private static final int SELECTION = 2;
  private static final int SHOWN = 3;

  /** The largest number of items that a cold start clusters; its centres do not need more. */
  private static final int MAX_CLUSTERED = 5_000;

  private static final int MAX_SHOWN = 2_000;
  private static final int MAX_UNCERTAIN = 500;
  private static final int NEIGHBOURS = 3;

  private final Store store;
  private final Project project;
  private final Model model;
  private final Clock clock;

  RoundComputation(Store store, Project project, Model model, Clock clock) {
    this.store = store;
    this.project = project;
    this.model = model;
    this.clock = clock;
  }

  /**
   * The state at the start of a round.
   *
   * @param state the labelled and the held-out items
   * @param tested the held-out items that are labelled
   * @param pool the items that may be picked
   */
  private record Known(
      List<LabelClass> classes,
      PoolState state,
      int[] labelled,
      int[] labels,
      int[] tested,
      int[] truths,
      int[] pool) {

    /** Returns the id of a class; empty for −1. */
    OptionalLong id(int place) {
      return place < 0 ? OptionalLong.empty() : OptionalLong.of(classes.get(place).id());
    }

    /** Training needs labels of at least two classes. */
    boolean canLearn() {
      return Arrays.stream(labels).distinct().count() >= 2;
    }
  }

  TrainingResult make(int number, ProjectOptions options) {
    long start = System.nanoTime();
    Known known = known();
    return known.canLearn()
        ? learn(number, options, known, start)
        : coldStart(number, options, known, start);
  }

  private Known known() {
    // Labels are read before classes: a class that is added in between has no labels yet.
    Map<Integer, Label> labels = store.ledger().labels(project.id());
    List<LabelClass> classes = store.projects().classes(project.id());
    Map<Long, Integer> places =
        classes.stream().collect(Collectors.toMap(LabelClass::id, LabelClass::place));
    Set<Integer> held = store.projects().held(project.id());
    List<Label> sure =
        labels.values().stream()
            .filter(label -> label.classId().isPresent())
            .sorted(Comparator.comparingInt(Label::item))
            .toList();
    List<Label> learnt = sure.stream().filter(label -> !held.contains(label.item())).toList();
    List<Label> tested = sure.stream().filter(label -> held.contains(label.item())).toList();
    PoolState state =
        PoolState.unlabelled(store.projects().items(project.id()))
            .label(items(learnt), places(learnt, places))
            .exclude(held.stream().mapToInt(Integer::intValue).toArray())
            // Includes skipped and unclear items.
            .exclude(labels.keySet().stream().mapToInt(Integer::intValue).toArray());
    return new Known(
        classes,
        state,
        state.labelled(),
        state.labels(),
        items(tested),
        places(tested, places),
        state.eligible());
  }

  private static int[] items(List<Label> labels) {
    return labels.stream().mapToInt(Label::item).toArray();
  }

  private static int[] places(List<Label> labels, Map<Long, Integer> places) {
    return labels.stream().mapToInt(label -> places.get(label.classId().getAsLong())).toArray();
  }

  /**
   * Selects the first batch without a model: the items nearest to the centres of k-means clusters.
   */
  private TrainingResult coldStart(int number, ProjectOptions options, Known known, long start) {
    int[] seen = some(known.pool, MAX_CLUSTERED, options.seed(), COLD + 10 * number);
    int budget = Math.min(options.budget(), seen.length);
    List<QueuedPick> picks = new ArrayList<>();
    if (budget > 0) {
      FloatMatrix rows = model.embed(seen).copy();
      Clustering clustering =
          KMeans.cluster(rows, KMeans.Options.of(budget), Seeds.at(options.seed(), COLD, number));
      for (int cluster = 0; cluster < clustering.clusters(); cluster++) {
        int own = cluster;
        long members = Arrays.stream(clustering.assignment()).filter(c -> c == own).count();
        picks.add(
            new QueuedPick(
                cluster,
                seen[clustering.nearest()[cluster]],
                "nothing is labelled yet; the item represents a group of %d similar items"
                    .formatted(members),
                Optional.of(Cause.TYPICAL),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "[]"));
      }
    }
    ItemMap map = map(known.pool, options, picks, null, new int[0]);
    TrainingRound round =
        new TrainingRound(
            number, "k-means", known.labels.length, 0, 0, seconds(start), clock.instant());
    return new TrainingResult(round, picks, List.of(), map);
  }

  private TrainingResult learn(int number, ProjectOptions options, Known known, long start) {
    List<String> names = known.classes.stream().map(LabelClass::name).toList();
    model.learn(known.labelled, known.labels, names);
    int correct = correct(known);
    SelectionRound selectionRound =
        new SelectionRound(
            Strategies.create(options.strategy(), Map.of()), known.state, model::snapshot);
    Snapshot snapshot = selectionRound.snapshot();
    Selection selection =
        selectionRound
            .select(options.budget(), Seeds.at(options.seed(), SELECTION, number))
            .selection();
    List<QueuedPick> picks = picks(options.strategy(), selection, snapshot, known);
    int[] candidates =
        MixDiagnostics.of(selection)
            .map(mixing -> selectionRound.rows(mixing.candidates().items()))
            .orElse(new int[0]);
    List<Integer> uncertain = uncertain(snapshot, known.pool, picks);
    ItemMap map = map(known.pool, options, picks, snapshot, candidates);
    TrainingRound round =
        new TrainingRound(
            number,
            options.strategy(),
            known.labels.length,
            known.truths.length,
            correct,
            seconds(start),
            clock.instant());
    return new TrainingResult(round, picks, uncertain, map);
  }

  /** Returns the number of labelled held-out items that the model predicts correctly. */
  private int correct(Known known) {
    if (known.tested.length == 0) {
      return 0;
    }
    Snapshot test = model.snapshot(known.tested, known.labelled, known.labels);
    int[] all = IntStream.range(0, known.tested.length).toArray();
    int[] predicted = test.predict(all);
    return (int)
        IntStream.range(0, predicted.length).filter(i -> predicted[i] == known.truths[i]).count();
  }

  private List<QueuedPick> picks(
      String strategy, Selection selection, Snapshot snapshot, Known known) {
    Inspector inspector = new Inspector(snapshot);
    Map<Integer, Integer> flips = flips(selection);
    List<QueuedPick> picks = new ArrayList<>();
    Optional<Cause> usual = Strategies.named(strategy).criterion().flatMap(RoundComputation::cause);
    // The last picks are random if there were too few candidates.
    int chosen = selection.picks().size() - selection.toppedUp();
    for (Pick pick : selection.picks()) {
      Inspection inspection =
          inspector.inspect(snapshot.unlabelled().gather(new int[] {pick.item()}).row(0));
      List<Integer> near =
          inspection.nearest().stream()
              .limit(NEIGHBOURS)
              .map(neighbour -> known.labelled[neighbour.index()])
              .toList();
      Optional<Cause> cause = picks.size() < chosen ? usual : Optional.of(Cause.RANDOM);
      int alternative =
          cause.filter(Cause.UNSURE::equals).isEmpty()
              ? -1
              : flips.getOrDefault(pick.item(), second(inspection));
      picks.add(
          new QueuedPick(
              picks.size(),
              known.pool[pick.item()],
              pick.reason(),
              cause,
              known.id(pick.predicted()),
              known.id(alternative),
              json(near)));
    }
    return picks;
  }

  /** Returns the class that each candidate of ALFA-Mix flips to, by its item. */
  private static Map<Integer, Integer> flips(Selection selection) {
    return MixDiagnostics.of(selection)
        .map(MixDiagnostics::candidates)
        .map(
            candidates ->
                IntStream.range(0, candidates.size())
                    .boxed()
                    .collect(Collectors.toMap(candidates::item, c -> candidates.flip(c).flipsTo())))
        .orElse(Map.of());
  }

  /** Returns the most probable class besides the predicted one; −1 if there is none. */
  private static int second(Inspection inspection) {
    double[] probabilities = inspection.probabilities();
    return IntStream.range(0, probabilities.length)
        .filter(c -> c != inspection.predicted())
        .boxed()
        .max(Comparator.comparingDouble(c -> probabilities[c]))
        .orElse(-1);
  }

  private static Optional<Cause> cause(Criterion criterion) {
    return Optional.of(
        switch (criterion) {
          case RANDOM -> Cause.RANDOM;
          case DIVERSITY -> Cause.DIFFERENT;
          case UNCERTAINTY -> Cause.UNSURE;
        });
  }

  private static String json(List<Integer> items) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      int[] values = items.stream().mapToInt(Integer::intValue).toArray();
      json.writeArray(values, 0, values.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Orders items by the margin between the two most probable classes. */
  private static List<Integer> uncertain(Snapshot snapshot, int[] pool, List<QueuedPick> picks) {
    Set<Integer> picked = picks.stream().map(QueuedPick::item).collect(Collectors.toSet());
    FloatMatrix probabilities = snapshot.probabilities(0, pool.length);
    double[] margins = new double[pool.length];
    for (int i = 0; i < pool.length; i++) {
      float best = 0;
      float second = 0;
      for (int c = 0; c < probabilities.columns(); c++) {
        float p = probabilities.get(i, c);
        if (p > best) {
          second = best;
          best = p;
        } else if (p > second) {
          second = p;
        }
      }
      margins[i] = best - second;
    }
    return IntStream.range(0, pool.length)
        .filter(i -> !picked.contains(pool[i]))
        .boxed()
        .sorted(Comparator.comparingDouble(i -> margins[i]))
        .limit(MAX_UNCERTAIN)
        .map(i -> pool[i])
        .toList();
  }

  /** Returns the items of the map: picks and a random sample of labelled and other items. */
  private ItemMap map(
      int[] pool,
      ProjectOptions options,
      List<QueuedPick> picks,
      Snapshot snapshot,
      int[] candidates) {
    Set<Integer> shown = new HashSet<>();
    picks.forEach(pick -> shown.add(pick.item()));
    int[] labelled =
        store.ledger().labels(project.id()).keySet().stream()
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    for (int item : some(labelled, MAX_SHOWN / 2, options.seed(), SHOWN)) {
      shown.add(item);
    }
    for (int item : some(pool, MAX_SHOWN, options.seed(), SHOWN)) {
      if (shown.size() < MAX_SHOWN) {
        shown.add(item);
      }
    }
    int[] items = shown.stream().mapToInt(Integer::intValue).sorted().toArray();
    if (items.length < 3) {
      return ItemMap.EMPTY;
    }
    FloatMatrix embeddings = model.embed(items);
    double[][] plane = Pca.plane(embeddings);
    FloatMatrix probabilities = snapshot == null ? null : snapshot.probabilitiesOf(embeddings);
    Set<Integer> considered = Arrays.stream(candidates).boxed().collect(Collectors.toSet());
    List<ItemMap.Point> points = new ArrayList<>();
    for (int i = 0; i < items.length; i++) {
      int predicted =
          probabilities == null
              ? -1
              : Kernels.argmax(
                  probabilities.array(), probabilities.rowOffset(i), probabilities.columns());
      points.add(
          new ItemMap.Point(
              items[i],
              (float) plane[i][0],
              (float) plane[i][1],
              predicted,
              considered.contains(items[i])));
    }
    return new ItemMap(points);
  }

  private static int[] some(int[] items, int most, long seed, int place) {
    int[] order =
        RandomIndices.distinct(
            items.length, Math.min(most, items.length), Seeds.at(seed, place, 0));
    return Arrays.stream(order).map(at -> items[at]).sorted().toArray();
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
