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
 * GCNAL: a graph network learns to distinguish labelled from unlabelled items by their
 * neighbourhoods. Its features are used to select the unlabelled items that are least similar to
 * labelled ones.
 *
 * <p>R. Caramalau, B. Bhattarai and T.-K. Kim, "Sequential graph convolutional network for active
 * learning", CVPR 2021.
 *
 * <p>CoreGCN, the default, selects picks by greedy k-center on hidden units and score; the score of
 * a pick is its distance to the nearest labelled item or earlier pick. UncertainGCN selects the
 * items whose probability of being labelled is nearest to a margin; the score is that difference,
 * smallest first.
 */
public final class Gcnal implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
              "gcnal",
              "items that a graph network finds least similar to labelled ones",
              "R. Caramalau, B. Bhattarai, T.-K. Kim, \"Sequential graph convolutional network for"
                  + " active learning\", CVPR 2021",
              Options.DEFAULT,
              Gcnal::new)
          .withCriterion(Criterion.DIVERSITY);

  /** The selection of picks from the outputs of the network. */
  public enum Picks {
    /** CoreGCN: greedy k-center on hidden units and score. */
    CORE,
    /** UncertainGCN: a probability of being labelled close to the margin. */
    UNCERTAIN
  }

  /**
   * Options of GCNAL; the defaults are those of the authors.
   *
   * @param picks CoreGCN or UncertainGCN
   * @param sample number of unlabelled items in the graph, sampled at random; at least the budget
   * @param hidden number of hidden units
   * @param dropout share of hidden units dropped in training
   * @param learningRate learning rate of Adam
   * @param weightDecay weight decay of Adam
   * @param lambda weight of the unlabelled items in the loss
   * @param steps number of training steps
   * @param margin target probability of being labelled in UncertainGCN
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
      InvalidRequestException.require(sample >= 1, "sample", "must be at least 1", sample);
      InvalidRequestException.require(
          margin >= 0 && margin <= 1, "margin", "must be in [0, 1]", margin);
      new GraphNetwork.Options(hidden, dropout, learningRate, weightDecay, lambda, steps);
    }

    GraphNetwork.Options network() {
      return new GraphNetwork.Options(hidden, dropout, learningRate, weightDecay, lambda, steps);
    }
  }

  private final Options options;

  /** Returns a builder with the default options. */
  public static GcnalBuilder builder() {
    return new GcnalBuilder();
  }

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
    int[] items = extendToAllClasses(sample, snapshot.size(), cap, random);
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
    SimilarityGraph graph = SimilarityGraph.of(stack(snapshot, items));
    if (graph.raisedDegrees() > 0) {
      recorder.note(
          "degrees",
          "%d of %d raised, because similarities of signed embeddings cancel"
              .formatted(graph.raisedDegrees(), graph.size()));
    }
    GraphNetwork network = new GraphNetwork(graph, items.length, options.network(), random);
    recorder.phase("graph");
    network.train(random);
    FloatMatrix features = network.embed();
    requireConverged(features);
    recorder.phase("train");
    if (options.picks() == Picks.CORE) {
      pickByCover(snapshot, items, features, budget, constraint, recorder);
    } else {
      pickByMargin(snapshot, items, features, budget, constraint, recorder);
    }
    return recorder.phase("pick").finish();
  }

  /** Requires finite squared norms, as distances are computed from the features. */
  private void requireConverged(FloatMatrix features) {
    for (float squared : Kernels.squaredRowNorms(features)) {
      if (!Float.isFinite(squared)) {
        throw new InvalidRequestException(
            ("The training of gcnal diverged with learningRate = %s, weightDecay = %s and"
                    + " lambda = %s; reduce them.")
                .formatted(options.learningRate(), options.weightDecay(), options.lambda()));
      }
    }
  }

  /** Returns a random sample of items, ascending so that a pool in a file is read in order. */
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
  private static int[] extendToAllClasses(
      int[] sample, int size, ClassCap cap, RandomGenerator random) {
    if (sample.length == size) {
      return sample;
    }
    int[] missing = cap.remaining();
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

  /** Returns the embeddings of the sampled items followed by those of the labelled items. */
  private static FloatMatrix stack(Snapshot snapshot, int[] items) {
    FloatMatrix labelled = snapshot.labelled();
    FloatMatrix result =
        FloatMatrix.zeros(Math.addExact(items.length, labelled.rows()), snapshot.features());
    snapshot.unlabelled().gather(items).copyTo(result, 0);
    labelled.copyTo(result, items.length);
    return result;
  }

  /** Applies a constraint on items to positions in the sample. */
  private record SampleConstraint(PickConstraint constraint, int[] items)
      implements PickConstraint {
    @Override
    public boolean allows(int at) {
      return constraint.allows(items[at]);
    }

    @Override
    public void picked(int at) {
      constraint.picked(items[at]);
    }
  }

  private static void pickByCover(
      Snapshot snapshot,
      int[] items,
      FloatMatrix features,
      int budget,
      PickConstraint constraint,
      Selection.Recorder recorder) {
    FloatMatrix unlabelled = features.slice(0, items.length);
    FloatMatrix labelled = features.slice(items.length, features.rows());
    KCenterGreedy.Picks picks =
        new EuclideanCover(unlabelled, labelled)
            .pick(budget, new SampleConstraint(constraint, items));
    int[] chosen = Arrays.stream(picks.indices()).map(at -> items[at]).toArray();
    int[] predicted = snapshot.predict(chosen);
    for (int p = 0; p < chosen.length; p++) {
      double distance = Math.sqrt(picks.dissimilarities()[p]);
      String reason =
          String.format(
              Locale.ROOT,
              distance > 0
                  ? "its neighbourhood differs from those of all labelled items and earlier picks:"
                      + " distance %.3g to the nearest; probability of being labelled %.0f %%"
                  : "all remaining neighbourhoods are identical to those of labelled items or"
                      + " earlier picks (probability of being labelled %2$.0f %%)",
              distance,
              100 * labelledProbability(features, picks.indices()[p]));
      recorder.pick(new Pick(chosen[p], distance, -1, predicted[p], reason));
    }
  }

  private void pickByMargin(
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
      best = takeAllowed(best, budget, new SampleConstraint(constraint, items));
    }
    int[] chosen = Arrays.stream(best).map(at -> items[at]).toArray();
    int[] predicted = snapshot.predict(chosen);
    for (int p = 0; p < chosen.length; p++) {
      String reason =
          String.format(
              Locale.ROOT,
              "probability of being labelled %.1f %%, close to the margin of %s %%",
              100 * labelledProbability(features, best[p]),
              AlfaMix.twoDigits(100 * options.margin()));
      recorder.pick(new Pick(chosen[p], -closeness[best[p]], -1, predicted[p], reason));
    }
  }

  /** Returns the first points that a constraint allows. */
  private static int[] takeAllowed(int[] points, int count, PickConstraint constraint) {
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
