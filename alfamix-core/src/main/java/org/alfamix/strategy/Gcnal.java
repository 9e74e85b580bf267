package org.alfamix.strategy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.cluster.EuclideanCover;
import org.alfamix.cluster.KCenterGreedy;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.graph.GraphNetwork;
import org.alfamix.graph.SimilarityGraph;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.RandomIndices;
import org.alfamix.model.Snapshot;

/**
 * GCNAL: a graph network learns to tell labelled items from unlabelled ones by their
 * neighbourhoods, and its features tell which unlabelled items are least like anything labelled.
 *
 * <p>R. Caramalau, B. Bhattarai and T.-K. Kim, "Sequential graph convolutional network for active
 * learning", CVPR 2021.
 *
 * <p>CoreGCN, the default, spreads picks by greedy k-center on hidden units and score; the score of
 * a pick is its distance to the nearest labelled item or earlier pick. UncertainGCN takes the items
 * whose probability of being labelled is nearest to a margin; the score is that difference, small
 * first.
 */
public final class Gcnal implements QueryStrategy {
  /** What the registry knows of it. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
          "gcnal",
          "least like labelled ones to a graph network",
          "R. Caramalau, B. Bhattarai, T.-K. Kim, \"Sequential graph convolutional network for"
              + " active learning\", CVPR 2021",
          Options.DEFAULT,
          Gcnal::new);

  /** How the network's answers become picks. */
  public enum Picks {
    /** CoreGCN: greedy k-center on hidden units and score. */
    CORE,
    /** UncertainGCN: a probability of being labelled next to the margin. */
    UNCERTAIN
  }

  /**
   * How to choose; the defaults are the authors'.
   *
   * @param picks CoreGCN or UncertainGCN
   * @param sample how many unlabelled items take part, drawn at random; at least the budget do
   * @param hidden hidden units
   * @param dropout share of hidden units dropped in training
   * @param learningRate of Adam
   * @param weightDecay of Adam
   * @param lambda weight of the unlabelled items in the loss
   * @param steps steps of training
   * @param margin probability of being labelled that UncertainGCN looks for
   */
  public record Options(
      Picks picks,
      int sample,
      int hidden,
      double dropout,
      double learningRate,
      double weightDecay,
      double lambda,
      int steps,
      double margin) {
    public static final Options DEFAULT =
        new Options(Picks.CORE, 10_000, 128, 0.3, 1e-3, 5e-4, 1.2, 200, 0.1);

    public Options {
      if (sample < 1) {
        throw new IllegalArgumentException("sample must be at least 1, got " + sample + ".");
      }
      if (!(margin >= 0 && margin <= 1)) {
        throw new IllegalArgumentException("margin must be in [0, 1], got " + margin + ".");
      }
      new GraphNetwork.Options(hidden, dropout, learningRate, weightDecay, lambda, steps);
    }

    GraphNetwork.Options network() {
      return new GraphNetwork.Options(hidden, dropout, learningRate, weightDecay, lambda, steps);
    }
  }

  private final Options options;

  public Gcnal(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.LABELLED);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    int[] items = sample(snapshot.size(), budget, random);
    return choose(snapshot, items, budget, PickConstraint.NONE, random);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    int[] sample = sample(snapshot.size(), budget, random);
    int[] items = withEnoughOfEachClass(sample, snapshot.size(), cap, random);
    return choose(snapshot, items, budget, cap, random);
  }

  private Selection choose(
      Snapshot snapshot,
      int[] items,
      int budget,
      PickConstraint constraint,
      RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(items.length);
    if (items.length < snapshot.size()) {
      recorder.note("sample", "%d of %d items".formatted(items.length, snapshot.size()));
    }
    SimilarityGraph graph = SimilarityGraph.of(stacked(snapshot, items));
    if (graph.raisedDegrees() > 0) {
      recorder.note(
          "degrees",
          "%d of %d raised: signed embeddings have similarities that cancel"
              .formatted(graph.raisedDegrees(), graph.size()));
    }
    GraphNetwork network = new GraphNetwork(graph, items.length, options.network(), random);
    recorder.phase("graph");
    network.train(random);
    FloatMatrix features = network.embed();
    requireConverged(features);
    recorder.phase("train");
    if (options.picks() == Picks.CORE) {
      pickCover(snapshot, items, features, budget, constraint, recorder);
    } else {
      pickMargin(snapshot, items, features, budget, constraint, recorder);
    }
    return recorder.phase("pick").finish();
  }

  /** Squares must be finite, too: distances are taken of these. */
  private void requireConverged(FloatMatrix features) {
    for (float squared : Kernels.squaredRowNorms(features)) {
      if (!Float.isFinite(squared)) {
        throw new InvalidRequestException(
            "The training of gcnal diverged with learningRate = %s, weightDecay = %s and lambda ="
                    .formatted(options.learningRate(), options.weightDecay())
                + " %s; lower them.".formatted(options.lambda()));
      }
    }
  }

  /** Ascending, so that a pool in a file is read in order. */
  private int[] sample(int size, int budget, RandomGenerator random) {
    int count = Math.min(size, Math.max(options.sample(), budget));
    int[] items = RandomIndices.distinct(size, count, random);
    Arrays.sort(items);
    return items;
  }

  /**
   * Extends a sample with random items of the classes that have fewer items in it than the cap
   * allows, so that the sample does not limit the number of picks.
   */
  private static int[] withEnoughOfEachClass(
      int[] sample, int size, ClassCap cap, RandomGenerator random) {
    if (sample.length == size) {
      return sample;
    }
    int[] missing = cap.left();
    BitSet taken = new BitSet(size);
    for (int item : sample) {
      taken.set(item);
      missing[cap.predicted(item)]--;
    }
    for (int item : RandomIndices.distinct(size, size, random)) {
      if (!taken.get(item) && missing[cap.predicted(item)] > 0) {
        taken.set(item);
        missing[cap.predicted(item)]--;
      }
    }
    return taken.stream().toArray();
  }

  /** The sampled items followed by the labelled ones. */
  private static FloatMatrix stacked(Snapshot snapshot, int[] items) {
    FloatMatrix labelled = snapshot.labelled();
    FloatMatrix result =
        FloatMatrix.zeros(Math.addExact(items.length, labelled.rows()), snapshot.features());
    snapshot.unlabelled().gather(items).copyTo(result, 0);
    labelled.copyTo(result, items.length);
    return result;
  }

  /** A constraint on sampled items, which go by their position in the sample. */
  private record OnSample(PickConstraint constraint, int[] items) implements PickConstraint {
    @Override
    public boolean allows(int at) {
      return constraint.allows(items[at]);
    }

    @Override
    public void picked(int at) {
      constraint.picked(items[at]);
    }
  }

  private static void pickCover(
      Snapshot snapshot,
      int[] items,
      FloatMatrix features,
      int budget,
      PickConstraint constraint,
      Selection.Recorder recorder) {
    FloatMatrix unlabelled = features.slice(0, items.length);
    FloatMatrix labelled = features.slice(items.length, features.rows());
    KCenterGreedy.Picks picks =
        new EuclideanCover(unlabelled, labelled).pick(budget, new OnSample(constraint, items));
    int[] chosen = Arrays.stream(picks.indices()).map(at -> items[at]).toArray();
    int[] predicted = snapshot.predict(chosen);
    for (int p = 0; p < chosen.length; p++) {
      double distance = Math.sqrt(picks.dissimilarities()[p]);
      String reason =
          String.format(
              Locale.ROOT,
              distance > 0
                  ? "its neighbourhood is unlike any labelled or picked before it: distance %.3g to"
                      + " the nearest, %.0f %% likely to be labelled"
                  : "nothing is left whose neighbourhood is unlike those labelled or picked before"
                      + " (%2$.0f %% likely to be labelled)",
              distance,
              100 * labelledProbability(features, picks.indices()[p]));
      recorder.pick(new Pick(chosen[p], distance, -1, predicted[p], reason));
    }
  }

  private void pickMargin(
      Snapshot snapshot,
      int[] items,
      FloatMatrix features,
      int budget,
      PickConstraint constraint,
      Selection.Recorder recorder) {
    double[] closeness = new double[items.length];
    for (int i = 0; i < items.length; i++) {
      closeness[i] = -Math.abs(labelledProbability(features, i) - options.margin());
    }
    boolean free = constraint == PickConstraint.NONE;
    int[] best = ProbabilityScores.largest(closeness, free ? budget : items.length);
    if (!free) {
      best = allowed(best, budget, new OnSample(constraint, items));
    }
    int[] chosen = Arrays.stream(best).map(at -> items[at]).toArray();
    int[] predicted = snapshot.predict(chosen);
    for (int p = 0; p < chosen.length; p++) {
      String reason =
          String.format(
              Locale.ROOT,
              "by its neighbourhood %.1f %% likely to be labelled, next to the margin of %s %%",
              100 * labelledProbability(features, best[p]),
              AlfaMix.twoDigits(100 * options.margin()));
      recorder.pick(new Pick(chosen[p], -closeness[best[p]], -1, predicted[p], reason));
    }
  }

  /** The first of some points in their order that a constraint allows. */
  private static int[] allowed(int[] points, int count, PickConstraint constraint) {
    return Arrays.stream(points)
        .filter(
            point -> {
              boolean allowed = constraint.allows(point);
              if (allowed) {
                constraint.picked(point);
              }
              return allowed;
            })
        .limit(count)
        .toArray();
  }

  private static double labelledProbability(FloatMatrix features, int i) {
    return 1 / (1 + Math.exp(-features.get(i, features.columns() - 1)));
  }
}
