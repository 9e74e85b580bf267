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
 * The active learning loop with an oracle: fit, test, select, reveal, repeat. The result of a round
 * depends only on the seed, the number of the round and the items labelled before it. It does not
 * depend on other runs, or on how often the process was restarted.
 */
final class RunLoop {
  /** Indices of random streams of a seed; the initial labels use another one. */
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
   * @param data the data, as features if the network is frozen
   * @param weights the initial weights of a pre-trained network
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

  /** Published weights expect pixels with the scaling that they were trained with. */
  private static Dataset scaled(ModelSpec model, Dataset data) {
    boolean expects = !model.isFrozen() && model.published().isPresent();
    return expects && data.shape().channels() == 3
        ? data.withScaling(model.published().get().scaling())
        : data;
  }

  /** Creates an untrained network, which is the same for every method of a seed. */
  Learner learner(long seed) {
    return engine.create(
        LearnerSpec.of(setting.model().trainedNetwork(), data, seed)
            .withPretraining(new Pretraining(weights, setting.model().tuning()))
            .withTraining(setting.model().options(data.shape()))
            .withThreads(1)
            .withDevice(device));
  }

  /** Returns the learner of a round: that of the run, or a new one if weights are fresh. */
  private Learner learner(long seed, int round, Learner runLearner) {
    return setting.model().start() == ModelSpec.Start.FRESH && round > 0
        ? learner(Seeds.at(seed, WEIGHTS, round).nextLong())
        : runLearner;
  }

  Oracle oracle() {
    return oracle;
  }

  /**
   * Runs one method with one seed.
   *
   * @param before the completed rounds
   * @param finished receives every further round, in order
   */
  void run(Method method, long seed, List<Round> before, Consumer<Round> finished) {
    QueryStrategy strategy = method.create();
    try (Learner learner = learner(seed)) {
      PoolState state = oracle.reveal(oracle.hidden(), resume(learner, seed, before));
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

  /** Restores the state of a learner; returns the items to label next. */
  private int[] resume(Learner learner, long seed, List<Round> before) {
    if (before.isEmpty()) {
      return oracle.initial(setting.schedule(), seed);
    }
    if (setting.model().start() == ModelSpec.Start.CONTINUE) {
      // The weights depend on all rounds; fitting these again reproduces them.
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

  /** Includes the network for strategies that need its gradients, and dropout if requested. */
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
