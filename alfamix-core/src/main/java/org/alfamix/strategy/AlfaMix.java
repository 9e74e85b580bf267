package org.alfamix.strategy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.cluster.Clustering;
import org.alfamix.cluster.KMeans;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Rows;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * ALFA-Mix: items whose predicted class flips when their features are mixed a little with those of
 * labelled ones, spread by clustering. The score is the cap at which the item flips: the smaller,
 * the less mixing it takes. Picks come in that order; those drawn at random for want of candidates
 * come last and have an infinite score.
 *
 * <p>A. Parvaneh, E. Abbasnejad, D. Teney, R. Haffari, A. van den Hengel and J. Q. Shi, "Active
 * learning by feature mixing", CVPR 2022.
 *
 * <p>The cap on the mixing ratio begins at {@code capStep} and grows by it until more than the
 * budget of items flip, or {@code maxCap} is reached. With a linear head the whole growth is a
 * threshold on one number per item; any other head is asked anew for each cap and anchor.
 */
public final class AlfaMix implements QueryStrategy {
  /** What the registry knows of it. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
          "alfamix",
          "flipped by mixing features, then clustered",
          "A. Parvaneh, E. Abbasnejad, D. Teney, R. Haffari, A. van den Hengel, J. Q. Shi, \"Active"
              + " learning by feature mixing\", CVPR 2022",
          Options.DEFAULT,
          AlfaMix::new);

  /**
   * How to choose.
   *
   * @param capStep first cap and its growth; a cap is the mixing ratio ε times √features
   * @param maxCap the largest cap
   * @param restarts how often k-means starts anew
   */
  public record Options(double capStep, double maxCap, int restarts) {
    public static final Options DEFAULT = new Options(0.2, 1.0, 10);

    public Options {
      if (!(capStep > 0)) {
        throw new IllegalArgumentException("capStep must be above 0, got " + capStep + ".");
      }
      if (!(maxCap >= capStep && maxCap < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "maxCap must be at least capStep = " + capStep + " and finite, got " + maxCap + ".");
      }
      if (maxCap / capStep > 1000) {
        throw new IllegalArgumentException(
            "capStep must be at least a thousandth of maxCap = "
                + maxCap
                + ", got "
                + capStep
                + ".");
      }
      if (restarts < 1) {
        throw new IllegalArgumentException("restarts must be at least 1, got " + restarts + ".");
      }
    }
  }

  /** Rows read from the pool at a time. */
  private static final int GATHERED = 256;

  /** k-means holds its points three times over: 2^27 floats are 0.5 GB each. */
  private static final long MOST_CLUSTERED_VALUES = 1L << 27;

  private final Options options;

  public AlfaMix(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.LABELLED, Requirement.HEAD);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record();
    Candidates candidates = candidates(snapshot, budget, () -> recorder.phase("scan"));
    recorder.flips(candidates).phase("candidates");
    if (candidates.size() > budget) {
      int[] clustered = clustered(candidates.size(), snapshot.features(), budget, random);
      if (clustered.length < candidates.size()) {
        recorder.note(
            "clustered",
            "a random sample of %d of the %d candidates, which take too much memory"
                .formatted(clustered.length, candidates.size()));
      }
      FloatMatrix embeddings = gather(snapshot.unlabelled(), candidates, clustered);
      recorder.phase("gather");
      Clustering clusters = KMeans.cluster(embeddings, kMeans(budget), random);
      recorder
          .note("clustering", clusters.method())
          .note("iterations", Integer.toString(clusters.iterations()))
          .note("inertia", Double.toString(clusters.inertia()))
          .phase("cluster");
      int[] clusterOf = clusters.assignment();
      int[] clusterAt = new int[candidates.size()];
      for (int at = 0; at < clustered.length; at++) {
        clusterAt[clustered[at]] = clusterOf[at];
      }
      int[] chosen = Arrays.stream(clusters.nearest()).map(at -> clustered[at]).toArray();
      for (int c : sorted(chosen, candidates)) {
        recorder.pick(pick(snapshot, candidates, c, clusterAt[c]));
      }
    } else {
      for (int c : sorted(IntStream.range(0, candidates.size()).toArray(), candidates)) {
        recorder.pick(pick(snapshot, candidates, c, -1));
      }
      topUp(snapshot, candidates, budget - candidates.size(), random, recorder);
    }
    return recorder.phase("explain").finish();
  }

  private Candidates candidates(Snapshot snapshot, int budget, Runnable scanned) {
    Head head = snapshot.head().orElseThrow();
    FloatMatrix anchors =
        Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
    double[] caps = caps();
    return head instanceof LinearHead linear
        ? Candidates.ofLinear(linear, anchors, snapshot.unlabelled(), caps, budget, scanned)
        : Candidates.ofGeneral(head, anchors, snapshot.unlabelled(), caps, budget);
  }

  private double[] caps() {
    // The last step goes to maxCap itself; a hair of rounding must not make it one step more.
    int steps = (int) Math.ceil(options.maxCap() / options.capStep() - 1e-9);
    return IntStream.rangeClosed(1, steps)
        .mapToDouble(i -> i == steps ? options.maxCap() : i * options.capStep())
        .toArray();
  }

  /** The candidates that are clustered: all of them, or a sample where they are too many. */
  private static int[] clustered(int candidates, int features, int budget, RandomGenerator random) {
    int most = Math.max(2 * budget, (int) (MOST_CLUSTERED_VALUES / features));
    return candidates <= most
        ? IntStream.range(0, candidates).toArray()
        : Arrays.stream(RandomIndices.distinct(candidates, most, random)).sorted().toArray();
  }

  /** The normalised embeddings of these candidates, read in blocks wherever the pool lives. */
  private static FloatMatrix gather(Rows pool, Candidates candidates, int[] clustered) {
    FloatMatrix result = FloatMatrix.zeros(clustered.length, pool.columns());
    Parallel.forBlocks(
        clustered.length,
        GATHERED,
        (from, to) -> {
          int[] rows =
              IntStream.range(from, to).map(at -> candidates.item(clustered[at])).toArray();
          FloatMatrix block = pool.gather(rows);
          Kernels.normalizeRows(block);
          block.copyTo(result, from);
        });
    return result;
  }

  private KMeans.Options kMeans(int budget) {
    KMeans.Options defaults = KMeans.Options.of(budget);
    return new KMeans.Options(
        budget, options.restarts(), defaults.maxIterations(), defaults.tolerance());
  }

  private static int[] sorted(int[] positions, Candidates candidates) {
    return Arrays.stream(positions)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingDouble(c -> candidates.flip(c).cap())
                .thenComparing(Comparator.naturalOrder()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static Pick pick(Snapshot snapshot, Candidates candidates, int c, int cluster) {
    int item = candidates.item(c);
    Flip flip = candidates.flip(c);
    String reason =
        "predicted "
            + snapshot.className(flip.predicted())
            + ", becomes "
            + snapshot.className(flip.becomes())
            + " when mixed "
            + twoDigits(100 * flip.share(snapshot.features()))
            + " % towards class "
            + snapshot.className(flip.anchor());
    return new Pick(item, flip.cap(), cluster, flip.predicted(), reason);
  }

  /** As {@code %.2g}, but never with an exponent; a formatter would take longer to load. */
  static String twoDigits(double value) {
    return new BigDecimal(value).round(new MathContext(2)).toPlainString();
  }

  private static void topUp(
      Snapshot snapshot,
      Candidates candidates,
      int count,
      RandomGenerator random,
      Selection.Recorder recorder) {
    int[] others = candidates.complement(snapshot.size());
    int[] drawn = RandomIndices.distinct(others.length, count, random);
    int[] items = Arrays.stream(drawn).map(at -> others[at]).toArray();
    int[] predicted = snapshot.predict(items);
    for (int p = 0; p < items.length; p++) {
      recorder.pick(
          new Pick(
              items[p],
              Double.POSITIVE_INFINITY,
              -1,
              predicted[p],
              "drawn at random: fewer items flip than the budget asks for"));
    }
    recorder.toppedUp(count);
  }
}
