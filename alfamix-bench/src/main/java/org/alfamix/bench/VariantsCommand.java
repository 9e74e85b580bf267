package org.alfamix.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.mix.AlphaBound;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.MixStatistics;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.Head;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares the methods for the mixing ratios of ALFA-Mix on one pool. */
@Command(
    name = "variants",
    description =
        "Compare the methods for the mixing ratios of ALFA-Mix: speed, candidates and picks.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class VariantsCommand implements Callable<Integer> {

  @Option(names = "--size", description = "Number of items of the pool.", defaultValue = "49900")
  private int size;

  @Option(names = "--features", description = "Number of features.", defaultValue = "256")
  private int features;

  @Option(names = "--classes", description = "Number of classes.", defaultValue = "10")
  private int classes;

  @Option(names = "--budget", description = "Number of items to select.", defaultValue = "100")
  private int budget;

  @Option(names = "--threads", description = "Number of threads.", defaultValue = "2")
  private int threads;

  @Option(
      names = "--runs",
      description = "Number of runs; the median is reported.",
      defaultValue = "5")
  private int runs;

  private static final List<String> METHODS =
      List.of("closed-form", "random", "projected-gradient");

  @Override
  public Integer call() {
    System.out.printf(
        Locale.ROOT,
        "Measured on: %s; %d threads, %,d × %d, %d classes, budget %d.%n%n",
        Machine.description(),
        threads,
        size,
        features,
        classes,
        budget);
    System.out.println(
        "| ratios | finding candidates s | slower than closed form | candidates | mean α | picks"
            + " that flip in closed form | by projected gradient, another seed |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    Parallel.with(
        threads,
        () -> {
          compare(SyntheticPool.of(size, features, classes));
          return null;
        });
    return 0;
  }

  private void compare(Snapshot snapshot) {
    double[][] seconds = new double[METHODS.size()][runs];
    Selection[] last = new Selection[METHODS.size()];
    // One warm-up round; then all methods run alternately, so that a slower phase affects all.
    for (int run = -1; run < runs; run++) {
      for (int method = 0; method < METHODS.size(); method++) {
        last[method] =
            Strategies.create("alfamix", Map.of("alpha", METHODS.get(method)))
                .select(snapshot, budget, new SplittableRandom(run));
        if (run >= 0) {
          Map<String, Double> phases = last[method].seconds();
          seconds[method][run] = phases.getOrDefault("scan", 0.0) + phases.get("candidates");
        }
      }
    }
    double closedForm = Peer.median(seconds[0]);
    for (int method = 0; method < METHODS.size(); method++) {
      MixStatistics statistics =
          MixDiagnostics.of(last[method]).orElseThrow().candidates().statistics();
      System.out.printf(
          Locale.ROOT,
          "| %s | %.4f | %.0f× | %,d at cap %.1f | %.3f | %.0f %% | %.0f %% |%n",
          METHODS.get(method),
          Peer.median(seconds[method]),
          Peer.median(seconds[method]) / closedForm,
          last[method].candidates(),
          MixDiagnostics.of(last[method]).orElseThrow().cap(),
          statistics.alphaMean(),
          100 * flipRate(snapshot, last[method], false),
          100 * flipRate(snapshot, last[method], true));
    }
  }

  /**
   * Returns the share of picks whose prediction flips in a test that is independent of the method.
   */
  private double flipRate(Snapshot snapshot, Selection selection, boolean searched) {
    Head head = snapshot.head().orElseThrow();
    FloatMatrix anchors =
        Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
    MixedFlips test =
        searched
            ? MixedFlips.projectedGradient(
                head, anchors, 12345, AlphaBound.PER_FEATURE, 5, 0.1, 0.01)
            : MixedFlips.closedForm(head, anchors);
    FloatMatrix picks = snapshot.unlabelled().gather(selection.items());
    return Arrays.stream(test.flips(picks, MixDiagnostics.of(selection).orElseThrow().cap()))
            .filter(flip -> flip != null)
            .count()
        / (double) picks.rows();
  }
}
