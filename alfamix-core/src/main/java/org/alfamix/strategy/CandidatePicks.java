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

/** Selects the picks among the candidates of ALFA-Mix. */
final class CandidatePicks {
  /** Rows that are read from the pool at once. */
  private static final int GATHER_BLOCK = 256;

  /** k-means holds three copies of its points: 2^27 floats take 0.5 GB each. */
  private static final long MAX_CLUSTERED_VALUES = 1L << 27;

  private final AlfaMix.Options options;
  private final Snapshot snapshot;
  private final Candidates candidates;
  private final Mix[] mixes;
  private int[] clusterOf;

  /**
   * A chosen candidate.
   *
   * @param candidate its position among the candidates
   * @param cluster the cluster it represents, or −1
   * @param mix the mix that flips it; null if not needed
   */
  record Choice(int candidate, double score, int cluster, Mix mix) {}

  CandidatePicks(AlfaMix.Options options, Snapshot snapshot, Candidates candidates) {
    this.options = options;
    this.snapshot = snapshot;
    this.candidates = candidates;
    boolean byDivergence = options.picks() == PickRule.LARGEST_DIVERGENCE;
    boolean byMix = options.picks() == PickRule.SMALLEST_NORM || byDivergence;
    // Searched ratios are already available, and the reasons refer to them.
    this.mixes =
        byMix || options.alpha() != AlfaMix.Alpha.CLOSED_FORM
            ? candidates.mixes(byDivergence)
            : null;
  }

  /** Returns up to {@code budget} candidates, in the order in which they should be labelled. */
  List<Choice> choose(int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] all = IntStream.range(0, candidates.size()).toArray();
    if (all.length <= budget) {
      return orderByScore(all, null);
    }
    return switch (options.picks()) {
      case KMEANS -> pickByClustering(budget, random, recorder);
      case KMEANS_PLUS_PLUS -> pickBySeeding(budget, random, recorder);
      case UNIFORM -> orderByScore(RandomIndices.distinct(all.length, budget, random), null);
      case SMALLEST_NORM, LARGEST_DIVERGENCE -> orderByScore(all, null).subList(0, budget);
    };
  }

  /** Returns the cluster of each candidate, −1 for none; empty unless the choice was clustered. */
  Optional<int[]> clusters() {
    return Optional.ofNullable(clusterOf);
  }

  /** Sorts candidates by score; ties are sorted by their row in the pool. */
  private List<Choice> orderByScore(int[] positions, int[] clusterOf) {
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

  private List<Choice> pickByClustering(
      int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] positions = candidatesToCluster(budget, random, recorder);
    FloatMatrix embeddings = gather(positions);
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
    for (int at = 0; at < positions.length; at++) {
      clusterOf[positions[at]] = clusters.assignment()[at];
    }
    int[] chosen = Arrays.stream(clusters.nearest()).map(at -> positions[at]).toArray();
    return orderByScore(chosen, clusterOf);
  }

  private List<Choice> pickBySeeding(
      int budget, RandomGenerator random, Selection.Recorder recorder) {
    int[] positions = candidatesToCluster(budget, random, recorder);
    FloatMatrix embeddings = gather(positions);
    recorder.phase("gather");
    int first = random.nextInt(positions.length);
    KMeansPlusPlus.Picks picks =
        KMeansPlusPlus.pick(new DensePoints(embeddings), budget, first, random);
    recorder.phase("cluster");
    return orderByScore(Arrays.stream(picks.indices()).map(at -> positions[at]).toArray(), null);
  }

  /** Returns the candidates to cluster: all, or a random sample if there are too many. */
  private int[] candidatesToCluster(
      int budget, RandomGenerator random, Selection.Recorder recorder) {
    int max = Math.max(2 * budget, (int) (MAX_CLUSTERED_VALUES / snapshot.features()));
    if (candidates.size() <= max) {
      return IntStream.range(0, candidates.size()).toArray();
    }
    recorder.note(
        "clustered",
        "a random sample of %d of the %d candidates; all of them would take too much memory"
            .formatted(max, candidates.size()));
    return Arrays.stream(RandomIndices.distinct(candidates.size(), max, random)).sorted().toArray();
  }

  /** Returns the normalized embeddings of the given candidates, read block by block. */
  private FloatMatrix gather(int[] positions) {
    FloatMatrix result = FloatMatrix.zeros(positions.length, snapshot.features());
    Parallel.forBlocks(
        positions.length,
        GATHER_BLOCK,
        (from, to) -> {
          int[] rows =
              IntStream.range(from, to).map(at -> candidates.item(positions[at])).toArray();
          FloatMatrix block = snapshot.unlabelled().gather(rows);
          Kernels.normalizeRows(block);
          block.copyTo(result, from);
        });
    return result;
  }
}
