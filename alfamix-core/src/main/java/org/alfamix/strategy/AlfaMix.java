package org.alfamix.strategy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
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
 * ALFA-Mix: items whose predicted class flips when their features are mixed a little with those of
 * labelled ones, spread by clustering. The score is the cap at which the item flips: the smaller,
 * the less mixing it takes. Picks come in that order; those drawn at random for want of candidates
 * come last and have an infinite score.
 *
 * <p>A. Parvaneh, E. Abbasnejad, D. Teney, R. Haffari, A. van den Hengel and J. Q. Shi, "Active
 * learning by feature mixing", CVPR 2022.
 *
 * <p>The cap on the mixing ratio begins at {@code capStep} and grows by it until more than the
 * budget of items flip, or {@code maxCap} is reached. With a linear head and ratios in closed form
 * the whole growth is a threshold on one number per item; otherwise mixes are made and the head is
 * asked, for each cap and anchor.
 *
 * <p>The variants that the paper studies are options: how the ratios are found, what items are
 * mixed with, how candidates become picks.
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

  /** How the mixing ratios α are found, one per feature. */
  public enum Alpha {
    /** The best first-order step among those of the same length. */
    CLOSED_FORM,
    /** From a random start by some steps of Adam, each ratio between 0 and the cap. */
    PROJECTED_GRADIENT,
    /** That start alone. */
    RANDOM
  }

  /** What items are mixed with. */
  public enum AnchorChoice {
    /** The mean of the labelled items of each class. */
    CLASS_MEANS,
    /** A random labelled item of each class. */
    RANDOM_ITEMS,
    /**
     * Nothing: items move along their gradient by ε = cap/√features, as in an adversarial attack;
     * the paper's supplement has this.
     */
    NONE,
    /** Nothing: items move along their gradient by ε times their own length. */
    NONE_RELATIVE;

    /** The step along the gradient where nothing is mixed. */
    Optional<GradientStep> gradientStep() {
      return switch (this) {
        case CLASS_MEANS, RANDOM_ITEMS -> Optional.empty();
        case NONE -> Optional.of(GradientStep.FIXED);
        case NONE_RELATIVE -> Optional.of(GradientStep.RELATIVE);
      };
    }
  }

  /** How candidates become picks. */
  public enum PickRule {
    /** The candidate nearest to the centre of each cluster of normalised embeddings. */
    KMEANS,
    /** Draws by k-means++ on normalised embeddings. */
    KMEANS_PLUS_PLUS,
    /** Uniform draws. */
    UNIFORM,
    /** The smallest ‖α‖; the score is that. */
    SMALLEST_NORM,
    /** The largest symmetric KL divergence by a mix; the score is that, largest first. */
    LARGEST_DIVERGENCE
  }

  /**
   * How to choose.
   *
   * @param alpha how the ratios are found
   * @param anchors what items are mixed with
   * @param picks how candidates become picks
   * @param capStep first cap and its growth. In closed form a cap is the mixing ratio ε times
   *     √features, otherwise the largest ratio of a feature
   * @param grow whether the cap grows; if not, it stays at {@code capStep}
   * @param maxCap the largest cap
   * @param restarts how often k-means starts anew
   * @param alphaBound how large the ratios may be that are not in closed form
   * @param alphaSteps steps of projected gradient
   * @param alphaRate their rate
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
    /** Each restart keeps a share of memory of its own. */
    private static final int MOST_RESTARTS = 1000;

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
      require(
          capStep > 0 && capStep < Double.POSITIVE_INFINITY,
          "capStep must be above 0 and finite",
          capStep);
      if (grow) {
        require(
            maxCap >= capStep && maxCap < Double.POSITIVE_INFINITY,
            "maxCap must be at least capStep = " + capStep + " and finite",
            maxCap);
        require(
            maxCap / capStep <= 1000,
            "capStep must be at least a thousandth of maxCap = " + maxCap,
            capStep);
      }
      require(
          restarts >= 1 && restarts <= MOST_RESTARTS,
          "restarts must be 1 to " + MOST_RESTARTS,
          restarts);
      require(alphaSteps >= 1, "alphaSteps must be at least 1", alphaSteps);
      require(alphaRate > 0 && alphaRate <= 1000, "alphaRate must be in (0, 1000]", alphaRate);
      require(
          alphaPenalty >= 0 && alphaPenalty <= 1000,
          "alphaPenalty must be in [0, 1000]",
          alphaPenalty);
      boolean mixes = anchors.gradientStep().isEmpty();
      if (!mixes && alpha != Alpha.CLOSED_FORM) {
        throw new IllegalArgumentException(
            name(anchors)
                + " mixes nothing, so there are no ratios to search for; alpha must be"
                + " closed-form.");
      }
      if (!mixes && picks == PickRule.SMALLEST_NORM) {
        throw new IllegalArgumentException(
            name(anchors)
                + " mixes nothing, so there are no ratios whose norm could be smallest;"
                + " choose other picks.");
      }
    }

    private static String name(AnchorChoice anchors) {
      return "anchors=" + anchors.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The caps that are tried, ascending. */
    public double[] caps() {
      if (!grow) {
        return new double[] {capStep};
      }
      // The last step goes to maxCap itself; a hair of rounding must not make it one step more.
      int steps = (int) Math.ceil(maxCap / capStep - 1e-9);
      return IntStream.rangeClosed(1, steps)
          .mapToDouble(i -> i == steps ? maxCap : times(capStep, i))
          .toArray();
    }

    /** In decimals: three times 0.2 are 0.6, where doubles make 0.6000000000000001 of it. */
    private static double times(double step, int count) {
      return BigDecimal.valueOf(step).multiply(BigDecimal.valueOf(count)).doubleValue();
    }

    private static void require(boolean holds, String what, Object found) {
      if (!holds) {
        throw new IllegalArgumentException(what + ", got " + found + ".");
      }
    }
  }

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
   * What tells the flip cap of any item, from the labelled items and the linear head of a snapshot;
   * for ratios in closed form. Where anchors are drawn, this draws first of all.
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
      // The mix that counts is the least one, not the one that flips first.
      flip = new Flip(mix.cap(), flip.predicted(), mix.anchor(), mix.becomes());
    }
    String reason =
        "predicted "
            + snapshot.className(flip.predicted())
            + ", becomes "
            + snapshot.className(flip.becomes())
            + " when "
            + (searched ? how(snapshot, mix) : how(snapshot, flip));
    int item = candidates.item(choice.candidate());
    return new Pick(item, choice.score(), choice.cluster(), flip.predicted(), reason);
  }

  private String how(Snapshot snapshot, Flip flip) {
    double share = flip.share(snapshot.features());
    String percent = twoDigits(100 * share) + " %";
    return switch (options.anchors()) {
      case NONE -> "moved by " + twoDigits(share) + " along its gradient";
      case NONE_RELATIVE -> "moved by " + percent + " of its length along its gradient";
      case CLASS_MEANS, RANDOM_ITEMS ->
          "mixed " + percent + " towards " + anchor(snapshot, flip.anchor());
    };
  }

  private String how(Snapshot snapshot, Mix mix) {
    return "mixed towards "
        + anchor(snapshot, mix.anchor())
        + ", by "
        + twoDigits(100 * mix.mean())
        + " % of a feature on average";
  }

  private String anchor(Snapshot snapshot, int k) {
    boolean item = options.anchors() == AnchorChoice.RANDOM_ITEMS;
    return (item ? "an item of class " : "class ") + snapshot.className(k);
  }

  /** As {@code %.2g}, but never with an exponent; a formatter would take longer to load. */
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
    int[] drawn = RandomIndices.distinct(others.length, count, random);
    int[] items = Arrays.stream(drawn).map(at -> others[at]).toArray();
    int[] predicted = snapshot.predict(items);
    for (int p = 0; p < items.length; p++) {
      recorder.pick(drawn(items[p], predicted[p]));
    }
    recorder.toppedUp(count);
  }

  /** A pick that flips at no cap, drawn at random for want of candidates. */
  public Pick drawn(int item, int predicted) {
    // Behind all others, in whichever direction the scores go.
    double score =
        options.picks() == PickRule.LARGEST_DIVERGENCE
            ? Double.NEGATIVE_INFINITY
            : Double.POSITIVE_INFINITY;
    String reason = "drawn at random: fewer items flip than the budget asks for";
    return new Pick(item, score, -1, predicted, reason);
  }
}
