package org.alfamix.strategy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.attack.DeepFool;
import org.alfamix.attack.Perturbations;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * DFAL: selects items whose prediction changes with a small perturbation of the input. The score is
 * the squared norm of the perturbation found by DeepFool, smallest first.
 *
 * <p>M. Ducoffe and F. Precioso, "Adversarial active learning for deep networks: a margin based
 * approach", arXiv:1802.09841, 2018.
 *
 * <p>If the snapshot has a network with inputs, the inputs are perturbed. With only embeddings and
 * a linear head, the embeddings are perturbed instead; the norm of the perturbation is then the
 * distance to the nearest decision boundary. A note records which of the two applies.
 */
public final class Dfal implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
              "dfal",
              "smallest perturbation that changes the prediction",
              "M. Ducoffe, F. Precioso, \"Adversarial active learning for deep networks: a margin"
                  + " based approach\", arXiv:1802.09841, 2018",
              Options.DEFAULT,
              Dfal::new)
          .withCriterion(Criterion.UNCERTAINTY);

  /**
   * Options of DFAL.
   *
   * @param maxSteps maximum number of steps of DeepFool
   * @param overshoot share by which every step exceeds the distance to the boundary
   */
  public record Options(int maxSteps, double overshoot) {
    public static final Options DEFAULT =
        new Options(DeepFool.DEFAULT.maxSteps(), DeepFool.DEFAULT.overshoot());

    public Options {
      new DeepFool(maxSteps, overshoot);
    }
  }

  private final DeepFool attack;

  public Dfal(Options options) {
    this.attack = new DeepFool(options.maxSteps(), options.overshoot());
  }

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.INPUT_GRADIENTS);
  }

  @Override
  public boolean ranks() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    boolean inputs = snapshot.network().isPresent();
    Perturbations found =
        inputs
            ? attack.attack(snapshot.network().get(), snapshot.inputs().orElseThrow())
            : attack.attack((LinearHead) snapshot.head().orElseThrow(), snapshot.unlabelled());
    recorder
        .note(
            "perturbed",
            inputs
                ? "the inputs of the network"
                : "the embeddings under the linear head: the snapshot has no network with inputs")
        .phase("attack");
    // Items that cannot reach another class come last, not first.
    double[] scores = found.squaredNorms().clone();
    for (int i = 0; i < scores.length; i++) {
      scores[i] = found.isFlat(i) ? Double.POSITIVE_INFINITY : scores[i];
    }
    int[] items =
        ProbabilityScores.largest(Arrays.stream(scores).map(score -> -score).toArray(), budget);
    for (int item : items) {
      recorder.pick(pick(snapshot, found, item, scores[item], inputs ? "input" : "embedding"));
    }
    return recorder.phase("rank").finish();
  }

  private static Pick pick(
      Snapshot snapshot, Perturbations found, int item, double squared, String target) {
    int before = found.predicted()[item];
    int after = found.flipsTo()[item];
    String reason;
    if (Double.isInfinite(squared)) {
      reason =
          "predicted %s; no small change of its %s changes the prediction"
              .formatted(snapshot.className(before), target);
    } else {
      reason =
          String.format(
              Locale.ROOT,
              before == after
                  ? "predicted %s; a perturbation of its %s with norm %4$.3g does not change the"
                      + " prediction"
                  : "predicted %s, flips to %3$s when its %2$s changes by %4$.3g",
              snapshot.className(before),
              target,
              snapshot.className(after),
              Math.sqrt(squared));
    }
    return new Pick(item, squared, -1, before, reason);
  }
}
