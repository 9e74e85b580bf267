package org.alfamix.strategy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.RandomIndices;
import org.alfamix.mix.AlphaBound;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.mix.GradientStep;
import org.alfamix.mix.LinearFlips;
import org.alfamix.mix.Mix;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * ALFA-Mix: selects items whose predicted class flips when their features are slightly mixed with
 * those of labelled items, and spreads them by clustering. The score is the cap at which the item
 * flips; smaller means less mixing. Picks are sorted by score. If there are too few candidates,
 * random picks with an infinite score follow.
 *
 * <p>A. Parvaneh, E. Abbasnejad, D. Teney, R. Haffari, A. van den Hengel and J. Q. Shi, "Active
 * learning by feature mixing", CVPR 2022.
 *
 * <p>The cap on the mixing ratio starts at {@code capStep} and grows by {@code capStep} until the
 * number of flips exceeds the budget or {@code maxCap} is reached. With a linear head and ratios in
 * closed form, a single threshold per item covers all caps; otherwise mixes are built and evaluated
 * by the head for each cap and anchor.
 *
 * <p>The variants studied in the paper are options: the computation of the ratios, the anchors, and
 * the selection of picks among the candidates.
 */
public final class AlfaMix implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
              "alfamix",
              "items whose prediction flips when features are mixed, spread by clustering",
              "A. Parvaneh, E. Abbasnejad, D. Teney, R. Haffari, A. van den Hengel, J. Q. Shi,"
                  + " \"Active learning by feature mixing\", CVPR 2022",
              Options.DEFAULT,
              AlfaMix::new)
          .withCriterion(Criterion.UNCERTAINTY);

  /** The computation of the mixing ratios α, one per feature. */
  public enum Alpha {
    /** The best first-order step among all steps of the same length. */
    CLOSED_FORM,
    /** Steps of Adam from a random start, each ratio between 0 and the cap. */
    PROJECTED_GRADIENT,
    /** Random ratios, the start of {@link #PROJECTED_GRADIENT}. */
    RANDOM
  }

  /** The anchors that items are mixed with. */
  public enum AnchorChoice {
    /** The mean of the labelled items of each class. */
    CLASS_MEANS,
    /** A random labelled item of each class. */
    RANDOM_ITEMS,
    /**
     * No anchors: items move along their gradient by ε = cap/√features, as in an adversarial
     * attack; described in the supplement of the paper.
     */
    NONE,
    /** No anchors: items move along their gradient by ε times their norm. */
    NONE_RELATIVE;

    /** Returns the step along the gradient; empty if items are mixed with anchors. */
    Optional<GradientStep> gradientStep() {
      return switch (this) {
        case CLASS_MEANS, RANDOM_ITEMS -> Optional.empty();
        case NONE -> Optional.of(GradientStep.FIXED);
        case NONE_RELATIVE -> Optional.of(GradientStep.RELATIVE);
      };
    }
  }

  /** The selection of picks among the candidates. */
  public enum PickRule {
    /** The candidate nearest to the centre of each cluster of normalized embeddings. */
    KMEANS,
    /** Seeding by k-means++ on normalized embeddings. */
    KMEANS_PLUS_PLUS,
    /** Uniform random sampling. */
    UNIFORM,
    /** The smallest ‖α‖, which is the score. */
    SMALLEST_NORM,
    /** The largest symmetric KL divergence caused by a mix, which is the score; largest first. */
    LARGEST_DIVERGENCE
  }

  /**
   * Options of ALFA-Mix.
   *
   * @param alpha computation of the ratios
   * @param anchors the anchors that items are mixed with
   * @param picks selection of picks among the candidates
   * @param capStep first cap and increment. In closed form a cap is the mixing ratio ε times
   *     √features, otherwise the largest ratio of a feature
   * @param grow whether the cap grows; if not, it stays at {@code capStep}
   * @param maxCap largest cap
   * @param restarts number of k-means restarts
   * @param alphaBound bound on ratios that are not in closed form
   * @param alphaSteps number of steps of projected gradient
   * @param alphaRate learning rate of projected gradient
   * @param alphaPenalty weight of ‖α‖ against the loss
   */
  public record Options(
      Alpha alpha,
      AnchorChoice anchors,
      PickRule picks,
      double capStep,
      boolean grow,
      double maxCap,
      int restarts,
      AlphaBound alphaBound,
      int alphaSteps,
      double alphaRate,
      double alphaPenalty) {
    /** Each restart allocates separate memory. */
    private static final int MAX_RESTARTS = 1000;

    public static final Options DEFAULT =
        new Options(
            Alpha.CLOSED_FORM,
            AnchorChoice.CLASS_MEANS,
            PickRule.KMEANS,
            0.2,
            true,
            1.0,
            10,
            AlphaBound.PER_FEATURE,
            5,
            0.1,
            0.01);

    public Options {
      InvalidRequestException.require(
          capStep > 0 && capStep < Double.POSITIVE_INFINITY,
          "capStep",
          "must be above 0 and finite",
          capStep);
      if (grow) {
        InvalidRequestException.require(
            maxCap >= capStep && maxCap < Double.POSITIVE_INFINITY,
            "maxCap",
            "must be at least capStep = " + capStep + " and finite",
            maxCap);
        InvalidRequestException.require(
            maxCap / capStep <= 1000,
            "capStep",
            "must be at least a thousandth of maxCap = " + maxCap,
            capStep);
      }
      InvalidRequestException.require(
          restarts >= 1 && restarts <= MAX_RESTARTS,
          "restarts",
          "must be 1 to " + MAX_RESTARTS,
          restarts);
      InvalidRequestException.require(
          alphaSteps >= 1, "alphaSteps", "must be at least 1", alphaSteps);
      InvalidRequestException.require(
          alphaRate > 0 && alphaRate <= 1000, "alphaRate", "must be in (0, 1000]", alphaRate);
      InvalidRequestException.require(
          alphaPenalty >= 0 && alphaPenalty <= 1000,
          "alphaPenalty",
          "must be in [0, 1000]",
          alphaPenalty);
      boolean mixes = anchors.gradientStep().isEmpty();
      if (!mixes && alpha != Alpha.CLOSED_FORM) {
        throw new InvalidRequestException(
            name(anchors),
            "requires alpha=closed-form: without mixing, there are no ratios to search" + " for.");
      }
      if (!mixes && picks == PickRule.SMALLEST_NORM) {
        throw new InvalidRequestException(
            name(anchors),
            "does not support picks=smallest-norm: without mixing, there are no ratios;"
                + " choose another value of picks.");
      }
    }

    private static String name(AnchorChoice anchors) {
      return "anchors=" + anchors.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the caps to try, ascending. */
    public double[] caps() {
      if (!grow) {
        return new double[] {capStep};
      }
      // The last step ends at maxCap; the tolerance avoids an extra step due to rounding.
      int steps = (int) Math.ceil(maxCap / capStep - 1e-9);
      return IntStream.rangeClosed(1, steps)
          .mapToDouble(i -> i == steps ? maxCap : times(capStep, i))
          .toArray();
    }

    /** Multiplies decimals: 3 × 0.2 is 0.6, not 0.6000000000000001 as in doubles. */
    private static double times(double step, int count) {
      return BigDecimal.valueOf(step).multiply(BigDecimal.valueOf(count)).doubleValue();
    }
  }

  private final Options options;

  /** Returns a builder with the default options. */
  public static AlfaMixBuilder builder() {
    return new AlfaMixBuilder();
  }

  public AlfaMix(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return options.anchors().gradientStep().isPresent()
        ? Set.of(Requirement.HEAD)
        : Set.of(Requirement.LABELLED, Requirement.HEAD);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record();
    Candidates candidates = candidates(snapshot, budget, random, () -> recorder.phase("scan"));
    recorder.candidates(candidates.size()).phase("candidates");
    CandidatePicks picks = new CandidatePicks(options, snapshot, candidates);
    for (CandidatePicks.Choice choice : picks.choose(budget, random, recorder)) {
      recorder.pick(pick(snapshot, candidates, choice));
    }
    recorder.diagnostics(new MixDiagnostics(candidates, picks.clusters()));
    if (candidates.size() < budget) {
      topUp(snapshot, candidates, budget - candidates.size(), random, recorder);
    }
    return recorder.phase("explain").finish();
  }

  private Candidates candidates(
      Snapshot snapshot, int budget, RandomGenerator random, Runnable scanned) {
    Head head = snapshot.head().orElseThrow();
    if (options.alpha() == Alpha.CLOSED_FORM && head instanceof LinearHead) {
      LinearFlips test = flips(snapshot, random);
      return Candidates.ofLinear(test, snapshot.unlabelled(), options.caps(), budget, scanned);
    }
    FloatMatrix anchors = anchors(snapshot, random);
    MixedFlips test =
        switch (options.alpha()) {
          case CLOSED_FORM ->
              options
                  .anchors()
                  .gradientStep()
                  .map(step -> MixedFlips.adversarial(head, step))
                  .orElseGet(() -> MixedFlips.closedForm(head, anchors));
          case RANDOM -> MixedFlips.random(head, anchors, random.nextLong(), options.alphaBound());
          case PROJECTED_GRADIENT ->
              MixedFlips.projectedGradient(
                  head,
                  anchors,
                  random.nextLong(),
                  options.alphaBound(),
                  options.alphaSteps(),
                  options.alphaRate(),
                  options.alphaPenalty());
        };
    if (options.picks() == PickRule.LARGEST_DIVERGENCE) {
      test = test.withDivergences();
    }
    return Candidates.ofMixed(test, snapshot.unlabelled(), options.caps(), budget);
  }

  /**
   * Returns the test that computes the flip cap of any item for ratios in closed form, from the
   * labelled items and the linear head of a snapshot. If anchors are random, sampling them is the
   * first use of the generator.
   */
  public LinearFlips flips(Snapshot snapshot, RandomGenerator random) {
    LinearHead head = (LinearHead) snapshot.head().orElseThrow();
    FloatMatrix anchors = anchors(snapshot, random);
    return options
        .anchors()
        .gradientStep()
        .map(step -> LinearFlips.adversarial(head, step))
        .orElseGet(() -> new LinearFlips(head, anchors));
  }

  private FloatMatrix anchors(Snapshot snapshot, RandomGenerator random) {
    int classes = snapshot.classes();
    return switch (options.anchors()) {
      case CLASS_MEANS -> Anchors.classMeans(snapshot.labelled(), snapshot.labels(), classes);
      case RANDOM_ITEMS ->
          Anchors.randomItems(snapshot.labelled(), snapshot.labels(), classes, random);
      case NONE, NONE_RELATIVE -> null;
    };
  }

  private Pick pick(Snapshot snapshot, Candidates candidates, CandidatePicks.Choice choice) {
    Flip flip = candidates.flip(choice.candidate());
    Mix mix = choice.mix();
    boolean searched = options.alpha() != Alpha.CLOSED_FORM;
    if (searched || options.picks() == PickRule.SMALLEST_NORM) {
      // Report the mix with the smallest norm, not the one that flips first.
      flip = new Flip(mix.cap(), flip.predicted(), mix.anchor(), mix.flipsTo());
    }
    String reason =
        "predicted "
            + snapshot.className(flip.predicted())
            + ", flips to "
            + snapshot.className(flip.flipsTo())
            + " "
            + (searched ? describe(snapshot, mix) : describe(snapshot, flip));
    int item = candidates.item(choice.candidate());
    return new Pick(item, choice.score(), choice.cluster(), flip.predicted(), reason);
  }

  private String describe(Snapshot snapshot, Flip flip) {
    double share = flip.share(snapshot.features());
    String percent = twoDigits(100 * share) + " %";
    return switch (options.anchors()) {
      case NONE -> "after a step of " + twoDigits(share) + " along its gradient";
      case NONE_RELATIVE -> "after a step of " + percent + " of its length along its gradient";
      case CLASS_MEANS, RANDOM_ITEMS ->
          "at a mixing ratio of " + percent + " towards " + anchor(snapshot, flip.anchor());
    };
  }

  private String describe(Snapshot snapshot, Mix mix) {
    return "at a mean mixing ratio of "
        + twoDigits(100 * mix.mean())
        + " % per feature towards "
        + anchor(snapshot, mix.anchor());
  }

  private String anchor(Snapshot snapshot, int k) {
    boolean item = options.anchors() == AnchorChoice.RANDOM_ITEMS;
    return (item ? "an item of class " : "class ") + snapshot.className(k);
  }

  /** Formats like {@code %.2g}, but never with an exponent. Avoids loading a formatter. */
  static String twoDigits(double value) {
    if (!Double.isFinite(value)) {
      return Double.toString(value);
    }
    return new BigDecimal(value).round(new MathContext(2)).toPlainString();
  }

  private void topUp(
      Snapshot snapshot,
      Candidates candidates,
      int count,
      RandomGenerator random,
      Selection.Recorder recorder) {
    int[] others = candidates.complement(snapshot.size());
    int[] sampled = RandomIndices.distinct(others.length, count, random);
    int[] items = Arrays.stream(sampled).map(at -> others[at]).toArray();
    int[] predicted = snapshot.predict(items);
    for (int p = 0; p < items.length; p++) {
      recorder.pick(randomPick(items[p], predicted[p]));
    }
    recorder.toppedUp(count);
  }

  /** Returns a random pick of an item that does not flip, for lack of candidates. */
  public Pick randomPick(int item, int predicted) {
    // Sorts after all other picks, whatever the direction of the scores.
    double score =
        options.picks() == PickRule.LARGEST_DIVERGENCE
            ? Double.NEGATIVE_INFINITY
            : Double.POSITIVE_INFINITY;
    String reason = "selected at random: fewer candidates than the budget";
    return new Pick(item, score, -1, predicted, reason);
  }
}
