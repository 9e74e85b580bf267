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
 * DFAL: items whose prediction a small perturbation of the input changes. The score is the squared
 * norm of DeepFool's perturbation; small comes first.
 *
 * <p>M. Ducoffe and F. Precioso, "Adversarial active learning for deep networks: a margin based
 * approach", arXiv:1802.09841, 2018.
 *
 * <p>A snapshot that has the network with its inputs is attacked there. With embeddings and a
 * linear head alone, the embeddings are perturbed instead; the perturbation is then the distance to
 * the nearest decision boundary, and a note says so.
 */
public final class Dfal implements QueryStrategy {
  /** What the registry knows of it. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
          "dfal",
          "smallest perturbation to another class",
          "M. Ducoffe, F. Precioso, \"Adversarial active learning for deep networks: a margin"
              + " based approach\", arXiv:1802.09841, 2018",
          Options.DEFAULT,
          Dfal::new);

  /**
   * How to attack.
   *
   * @param maxSteps most steps of DeepFool
   * @param overshoot share by which every step is longer than to the boundary
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
                : "embeddings under the linear head: no network with its inputs was given")
        .phase("attack");
    // Who cannot be led anywhere comes last, not first.
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
      Snapshot snapshot, Perturbations found, int item, double squared, String what) {
    int before = found.predicted()[item];
    int after = found.becomes()[item];
    String reason;
    if (Double.isInfinite(squared)) {
      reason =
          "predicted %s; no small change of its %s leads anywhere else"
              .formatted(snapshot.className(before), what);
    } else {
      reason =
          String.format(
              Locale.ROOT,
              before == after
                  ? "predicted %s, and still so after a change of its %s by %4$.3g"
                  : "predicted %s, becomes %3$s when its %2$s changes by %4$.3g",
              snapshot.className(before),
              what,
              snapshot.className(after),
              Math.sqrt(squared));
    }
    return new Pick(item, squared, -1, before, reason);
  }
}
