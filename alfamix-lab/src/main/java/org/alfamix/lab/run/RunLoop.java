package org.alfamix.lab.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.alfamix.datasets.Dataset;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.ModelSpec;
import org.alfamix.lab.setting.Setting;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.math.Seeds;
import org.alfamix.select.PoolState;
import org.alfamix.select.SelectionRound;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Selection;

/**
 * Active learning with an oracle: fit, test, choose, reveal, again. What a round does follows from
 * the seed, the number of the round and what was labelled before it, and from nothing else: not
 * from other runs, nor from how often the process was started anew.
 */
final class RunLoop {
  /** Places in the randomness of a seed; the first labels have one, too. */
  private static final int SELECTION = 2;

  private static final int DROPOUT = 3;

  private static final int WEIGHTS = 5;

  private final Setting setting;
  private final Dataset data;
  private final Oracle oracle;
  private final LearnerEngine engine;
  private final String device;
  private final Optional<Path> weights;

  /**
   * @param data as features, where the network is frozen
   * @param weights what a pre-trained network begins from
   */
  RunLoop(
      Setting setting, Dataset data, Optional<Path> weights, LearnerEngine engine, String device) {
    this.weights = weights;
    this.setting = setting;
    this.data = scaled(setting.model(), data);
    this.oracle = new Oracle(data);
    this.engine = engine;
    this.device = device;
  }

  /** Published weights expect pixels as they were scaled when those were made. */
  private static Dataset scaled(ModelSpec model, Dataset data) {
    boolean expects = !model.isFrozen() && model.published().isPresent();
    return expects && data.shape().channels() == 3
        ? data.withScaling(model.published().get().scaling())
        : data;
  }

  /** A network that knows nothing yet; the same for every method of a seed. */
  Learner learner(long seed) {
    return engine.create(
        LearnerSpec.of(setting.model().learning(), data, seed)
            .withPretraining(new Pretraining(weights, setting.model().tuning()))
            .withTraining(setting.model().options(data.shape()))
            .withThreads(1)
            .withDevice(device));
  }

  /** The one of a round: mostly that of the run, which its fits bring back to where it began. */
  private Learner learner(long seed, int round, Learner ofTheRun) {
    return setting.model().start() == ModelSpec.Start.FRESH && round > 0
        ? learner(Seeds.at(seed, WEIGHTS, round).nextLong())
        : ofTheRun;
  }

  Oracle oracle() {
    return oracle;
  }

  /**
   * Runs one method with one seed.
   *
   * @param before the rounds that were finished already
   * @param finished hears of every further round, in order
   */
  void run(Method method, long seed, List<Round> before, Consumer<Round> finished) {
    QueryStrategy strategy = method.create();
    try (Learner learner = learner(seed)) {
      PoolState state = oracle.reveal(oracle.hidden(), takeUp(learner, seed, before));
      for (int number = before.size(); number <= setting.schedule().rounds(); number++) {
        Learner own = learner(seed, number, learner);
        try {
          Round round = round(number, own, strategy, seed, state);
          finished.accept(round);
          state = oracle.reveal(state, round.picks());
        } finally {
          if (own != learner) {
            own.close();
          }
        }
      }
    }
  }

  /** Brings a learner to where it was; the items that are labelled next. */
  private int[] takeUp(Learner learner, long seed, List<Round> before) {
    if (before.isEmpty()) {
      return oracle.initial(setting.schedule(), seed);
    }
    if (setting.model().start() == ModelSpec.Start.CONTINUE) {
      // Its weights come from all rounds; fitting those again gives the same ones.
      for (Round round : before) {
        fit(learner, round.labelled());
      }
    } else {
      learner.skipFits(before.size());
    }
    return before.get(before.size() - 1).labelledNext();
  }

  Fit fit(Learner learner, int[] labelled) {
    return learner.fit(data.pool().inputs(), labelled, oracle.labels(labelled));
  }

  private Round round(
      int number, Learner learner, QueryStrategy strategy, long seed, PoolState state) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    long start = System.nanoTime();
    Fit fit = learner.fit(data.pool().inputs(), state.labelled(), state.labels());
    start = lap(seconds, "train", start);
    double accuracy = learner.accuracy(data.test().inputs(), data.test().labels());
    lap(seconds, "test", start);
    Optional<Round.Query> query =
        number < setting.schedule().rounds()
            ? Optional.of(query(number, learner, strategy, seed, state, seconds))
            : Optional.empty();
    return new Round(
        number,
        state.labelled(),
        accuracy,
        fit.epochs(),
        fit.accuracy(),
        query,
        seconds,
        1,
        Map.of());
  }

  private Round.Query query(
      int number,
      Learner learner,
      QueryStrategy strategy,
      long seed,
      PoolState state,
      Map<String, Double> seconds) {
    SnapshotOptions options = options(strategy, seed, number);
    SelectionRound round =
        new SelectionRound(
            strategy,
            state,
            (eligible, labelled, labels) ->
                learner.snapshot(data.pool().inputs(), eligible, labelled, labels, options));
    seconds.put("embed", round.snapshotSeconds());
    SelectionRound.Outcome outcome =
        round.select(setting.schedule().budgets().get(number), Seeds.at(seed, SELECTION, number));
    seconds.put("select", outcome.seconds());
    Selection selection = outcome.selection();
    Optional<MixDiagnostics> mixing = MixDiagnostics.of(selection);
    boolean shown = setting.latentItems() > 0 && number == 0;
    return new Round.Query(
        outcome.rows(),
        selection.candidates(),
        mixing.map(MixDiagnostics::cap).orElse(Double.NaN),
        selection.toppedUp(),
        QueryStatistics.of(
            round.snapshot().probabilitiesAt(selection.items()), oracle.labels(outcome.rows())),
        mixing
            .filter(each -> shown)
            .map(each -> round.rows(each.candidates().items()))
            .orElse(new int[0]));
  }

  /** The network comes along for strategies that attack it, dropout for those that ask for it. */
  private SnapshotOptions options(QueryStrategy strategy, long seed, int number) {
    SnapshotOptions options = SnapshotOptions.PLAIN;
    if (strategy.requirements().contains(Requirement.INPUT_GRADIENTS)) {
      options = options.withNetwork();
    }
    if (strategy.dropoutSamples() > 0 && setting.model().options(data.shape()).dropout() > 0) {
      options =
          options.withDropoutSamples(
              strategy.dropoutSamples(), Seeds.at(seed, DROPOUT, number).nextLong());
    }
    return options;
  }

  private static long lap(Map<String, Double> seconds, String phase, long start) {
    long now = System.nanoTime();
    seconds.put(phase, (now - start) / 1e9);
    return now;
  }
}
