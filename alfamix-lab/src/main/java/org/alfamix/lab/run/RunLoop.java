package org.alfamix.lab.run;

import java.nio.file.Path;
import java.util.Arrays;
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
import org.alfamix.mix.Candidates;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;

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
      int[] labelled = takeUp(learner, seed, before);
      for (int number = before.size(); number <= setting.schedule().rounds(); number++) {
        Learner own = learner(seed, number, learner);
        try {
          Round round = round(number, own, strategy, method, seed, labelled);
          finished.accept(round);
          labelled = round.labelledNext();
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
      int number,
      Learner learner,
      QueryStrategy strategy,
      Method method,
      long seed,
      int[] labelled) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    long start = System.nanoTime();
    Fit fit = fit(learner, labelled);
    start = lap(seconds, "train", start);
    double accuracy = learner.accuracy(data.test().inputs(), data.test().labels());
    lap(seconds, "test", start);
    Optional<Round.Query> query =
        number < setting.schedule().rounds()
            ? Optional.of(query(number, learner, strategy, method, seed, labelled, seconds))
            : Optional.empty();
    return new Round(
        number, labelled, accuracy, fit.epochs(), fit.accuracy(), query, seconds, 1, Map.of());
  }

  private Round.Query query(
      int number,
      Learner learner,
      QueryStrategy strategy,
      Method method,
      long seed,
      int[] labelled,
      Map<String, Double> seconds) {
    int[] unlabelled = oracle.others(labelled);
    long start = System.nanoTime();
    Snapshot snapshot =
        learner.snapshot(
            data.pool().inputs(),
            unlabelled,
            labelled,
            oracle.labels(labelled),
            options(strategy, method, seed, number));
    start = lap(seconds, "embed", start);
    int budget = setting.schedule().budgets().get(number);
    Selection selection = strategy.select(snapshot, budget, Seeds.at(seed, SELECTION, number));
    lap(seconds, "select", start);
    int[] picks = rows(unlabelled, selection.items());
    return new Round.Query(
        picks,
        selection.candidates(),
        selection.cap(),
        selection.toppedUp(),
        QueryStatistics.of(snapshot.probabilitiesAt(selection.items()), oracle.labels(picks)),
        setting.latentItems() > 0 && number == 0
            ? rows(unlabelled, selection.flips().map(Candidates::items).orElse(new int[0]))
            : new int[0]);
  }

  private static int[] rows(int[] unlabelled, int[] positions) {
    return Arrays.stream(positions).map(position -> unlabelled[position]).toArray();
  }

  /** The network comes along for those who attack it, dropout for those who ask for it. */
  private SnapshotOptions options(QueryStrategy strategy, Method method, long seed, int number) {
    SnapshotOptions options = SnapshotOptions.PLAIN;
    if (strategy.requirements().contains(Requirement.INPUT_GRADIENTS)) {
      options = options.withNetwork();
    }
    if (strategy.requirements().contains(Requirement.DROPOUT)
        && setting.model().options(data.shape()).dropout() > 0) {
      Map<String, String> usual = Strategies.named(method.strategy()).options();
      int samples =
          Integer.parseInt(method.options().getOrDefault("samples", usual.get("samples")));
      options = options.withDropoutSamples(samples, Seeds.at(seed, DROPOUT, number).nextLong());
    }
    return options;
  }

  private static long lap(Map<String, Double> seconds, String phase, long start) {
    long now = System.nanoTime();
    seconds.put(phase, (now - start) / 1e9);
    return now;
  }
}
