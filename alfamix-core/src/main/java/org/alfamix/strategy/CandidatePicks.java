package org.alfamix.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.cluster.Clustering;
import org.alfamix.cluster.DensePoints;
import org.alfamix.cluster.KMeans;
import org.alfamix.cluster.KMeansPlusPlus;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.RandomIndices;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Mix;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.AlfaMix.PickRule;

/** How the candidates of ALFA-Mix become picks. */
final class CandidatePicks {
  /** Rows read from the pool at a time. */
  private static final int GATHERED = 256;

  /** k-means holds its points three times over: 2^27 floats are 0.5 GB each. */
  private static final long MOST_CLUSTERED_VALUES = 1L << 27;

  private final AlfaMix.Options options;
  private final Snapshot snapshot;
  private final Candidates candidates;
  private final Mix[] mixes;
  private int[] clusterOf;

  /**
   * A chosen candidate.
   *
   * @param candidate its position among the candidates
   * @param cluster the cluster it stands for, or −1
   * @param mix what flips it; null where nobody needs to know
   */
  record Choice(int candidate, double score, int cluster, Mix mix) {}

  CandidatePicks(AlfaMix.Options options, Snapshot snapshot, Candidates candidates) {
    this.options = options;
    this.snapshot = snapshot;
    this.candidates = candidates;
    boolean byDivergence = options.picks() == PickRule.LARGEST_DIVERGENCE;
    boolean byMix = options.picks() == PickRule.SMALLEST_NORM || byDivergence;
    // With ratios that were searched for they are at hand, and the reasons speak of them.
    this.mixes =
        byMix || options.alpha() != AlfaMix.Alpha.CLOSED_FORM
            ? candidates.mixes(byDivergence)
            : null;
  }

  /** As many as the budget allows, in the order in which they should be labelled. */
  List<Choice> choose(int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] all = IntStream.range(0, candidates.size()).toArray();
    if (all.length <= budget) {
      return ordered(all, null);
    }
    return switch (options.picks()) {
      case KMEANS -> clustered(budget, random, recorder);
      case KMEANS_PLUS_PLUS -> seeded(budget, random, recorder);
      case UNIFORM -> ordered(RandomIndices.distinct(all.length, budget, random), null);
      case SMALLEST_NORM, LARGEST_DIVERGENCE -> ordered(all, null).subList(0, budget);
    };
  }

  /** Returns the cluster of each candidate, −1 for none; empty unless the choice was clustered. */
  Optional<int[]> clusters() {
    return Optional.ofNullable(clusterOf);
  }

  /** In the order of their scores; of equal ones the first in the pool comes first. */
  private List<Choice> ordered(int[] positions, int[] clusterOf) {
    boolean divergence = options.picks() == PickRule.LARGEST_DIVERGENCE;
    IntToDoubleFunction score =
        switch (options.picks()) {
          case SMALLEST_NORM -> c -> mixes[c].norm();
          case LARGEST_DIVERGENCE -> c -> mixes[c].divergence();
          default -> c -> candidates.flip(c).cap();
        };
    return Arrays.stream(positions)
        .mapToObj(
            c ->
                new Choice(
                    c,
                    score.applyAsDouble(c),
                    clusterOf == null ? -1 : clusterOf[c],
                    mixes == null ? null : mixes[c]))
        .sorted(
            Comparator.<Choice>comparingDouble(
                    choice -> divergence ? -choice.score() : choice.score())
                .thenComparingInt(Choice::candidate))
        .toList();
  }

  private List<Choice> clustered(int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] part = part(budget, random, recorder);
    FloatMatrix embeddings = gather(part);
    recorder.phase("gather");
    KMeans.Options defaults = KMeans.Options.of(budget);
    Clustering clusters =
        KMeans.cluster(
            embeddings,
            new KMeans.Options(
                budget, options.restarts(), defaults.maxIterations(), defaults.tolerance()),
            random);
    recorder
        .note("clustering", clusters.method())
        .note("iterations", Integer.toString(clusters.iterations()))
        .note("inertia", Double.toString(clusters.inertia()))
        .phase("cluster");
    clusterOf = new int[candidates.size()];
    Arrays.fill(clusterOf, -1);
    for (int at = 0; at < part.length; at++) {
      clusterOf[part[at]] = clusters.assignment()[at];
    }
    int[] chosen = Arrays.stream(clusters.nearest()).map(at -> part[at]).toArray();
    return ordered(chosen, clusterOf);
  }

  private List<Choice> seeded(int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] part = part(budget, random, recorder);
    FloatMatrix embeddings = gather(part);
    recorder.phase("gather");
    int first = random.nextInt(part.length);
    KMeansPlusPlus.Picks picks =
        KMeansPlusPlus.pick(new DensePoints(embeddings), budget, first, random);
    recorder.phase("cluster");
    return ordered(Arrays.stream(picks.indices()).map(at -> part[at]).toArray(), null);
  }

  /** The candidates that are clustered: all of them, or a sample where they are too many. */
  private int[] part(int budget, RandomGenerator random, Selection.Recorder recorder) {
    int most = Math.max(2 * budget, (int) (MOST_CLUSTERED_VALUES / snapshot.features()));
    if (candidates.size() <= most) {
      return IntStream.range(0, candidates.size()).toArray();
    }
    recorder.note(
        "clustered",
        "a random sample of %d of the %d candidates, which take too much memory"
            .formatted(most, candidates.size()));
    return Arrays.stream(RandomIndices.distinct(candidates.size(), most, random))
        .sorted()
        .toArray();
  }

  /** The normalised embeddings of these candidates, read in blocks wherever the pool lives. */
  private FloatMatrix gather(int[] part) {
    FloatMatrix result = FloatMatrix.zeros(part.length, snapshot.features());
    Parallel.forBlocks(
        part.length,
        GATHERED,
        (from, to) -> {
          int[] rows = IntStream.range(from, to).map(at -> candidates.item(part[at])).toArray();
          FloatMatrix block = snapshot.unlabelled().gather(rows);
          Kernels.normalizeRows(block);
          block.copyTo(result, from);
        });
    return result;
  }
}
