package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.model.DropoutSamples;
import org.alfamix.model.HeadDropout;
import org.alfamix.model.Snapshot;

/**
 * BALD: selects items on which dropout samples disagree although each one is confident. The score
 * is the mutual information of prediction and dropout: the entropy of the mean prediction minus the
 * mean entropy.
 *
 * <p>Y. Gal, R. Islam and Z. Ghahramani, "Deep Bayesian active learning with image data", ICML
 * 2017.
 *
 * <p>If the snapshot has no dropout samples, dropout is applied to the embeddings, before the head.
 */
public final class Bald implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<Options> ENTRY =
      new StrategyEntry<>(
              "bald",
              "highest disagreement under dropout",
              "Y. Gal, R. Islam, Z. Ghahramani, \"Deep Bayesian active learning with image data\","
                  + " ICML 2017",
              Options.DEFAULT,
              Bald::new)
          .withCriterion(Criterion.UNCERTAINTY);

  private static final int BLOCK = 512;

  /** The floating-point precision of the mutual information. */
  public enum Precision {
    /** Entropies are summed in double precision. */
    DOUBLE,
    /**
     * All computations in single precision, like the code of the authors of ALFA-Mix, although the
     * order of sums may differ. Their networks for MNIST have no dropout: all samples are equal,
     * and items are ranked only by rounding errors.
     */
    SINGLE
  }

  /**
   * Options of BALD. The first two apply if the snapshot has no dropout samples.
   *
   * @param samples number of dropout samples
   * @param rate share of features dropped in each sample
   * @param precision precision of the mutual information
   */
  public record Options(int samples, double rate, Precision precision) {
    public static final Options DEFAULT = new Options(5, 0.5, Precision.DOUBLE);

    public Options {
      InvalidRequestException.require(samples >= 1, "samples", "must be at least 1", samples);
      InvalidRequestException.require(rate >= 0 && rate < 1, "rate", "must be in [0, 1)", rate);
    }
  }

  private final Options options;

  public Bald(Options options) {
    this.options = options;
  }

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.DROPOUT);
  }

  @Override
  public boolean ranks() {
    return true;
  }

  @Override
  public int dropoutSamples() {
    return options.samples();
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    DropoutSamples samples =
        snapshot.dropoutSamples().orElseGet(() -> sampleDropout(snapshot, random.nextLong()));
    double[] scores =
        options.precision() == Precision.SINGLE
            ? singlePrecisionScores(samples, snapshot.size())
            : mutualInformation(samples, snapshot.size());
    recorder.phase("score");
    int[] items = ProbabilityScores.largest(scores, budget);
    int[] predicted = snapshot.predict(items);
    for (int p = 0; p < items.length; p++) {
      int item = items[p];
      String reason =
          String.format(
              Locale.ROOT,
              "%d dropout samples disagree: mutual information %.3f",
              samples.samples(),
              scores[item]);
      recorder.pick(new Pick(item, scores[item], -1, predicted[p], reason));
    }
    return recorder.phase("rank").finish();
  }

  private DropoutSamples sampleDropout(Snapshot snapshot, long seed) {
    return new HeadDropout(
        snapshot.head().orElseThrow(),
        snapshot.unlabelled(),
        options.samples(),
        options.rate(),
        seed);
  }

  /** Computes scores in single precision; items with a probability of zero come last. */
  static double[] singlePrecisionScores(DropoutSamples samples, int size) {
    double[] result = new double[size];
    int count = samples.samples();
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> {
          FloatMatrix[] probabilities = new FloatMatrix[count];
          for (int s = 0; s < count; s++) {
            probabilities[s] = samples.probabilities(s, from, to);
          }
          int classes = probabilities[0].columns();
          for (int i = 0; i < to - from; i++) {
            float ofMean = 0;
            float[] ofSamples = new float[count];
            for (int k = 0; k < classes; k++) {
              float sum = 0;
              for (int s = 0; s < count; s++) {
                float p = probabilities[s].get(i, k);
                sum += p;
                ofSamples[s] += -p * (float) Math.log(p);
              }
              float mean = sum / count;
              ofMean += -mean * (float) Math.log(mean);
            }
            float sum = 0;
            for (float entropy : ofSamples) {
              sum += entropy;
            }
            float score = ofMean - sum / count;
            result[from + i] = Float.isNaN(score) ? Double.NEGATIVE_INFINITY : score;
          }
        });
    return result;
  }

  static double[] mutualInformation(DropoutSamples samples, int size) {
    double[] result = new double[size];
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> {
          int rows = to - from;
          double[] entropies = new double[rows];
          FloatMatrix mean = null;
          for (int s = 0; s < samples.samples(); s++) {
            FloatMatrix p = samples.probabilities(s, from, to);
            if (mean == null) {
              mean = FloatMatrix.zeros(rows, p.columns());
            }
            float share = 1f / samples.samples();
            int values = rows * p.columns();
            Kernels.axpy(share, p.array(), p.rowOffset(0), mean.array(), 0, values);
            Kernels.entropyRows(p, entropies, 0);
            for (int i = 0; i < rows; i++) {
              result[from + i] -= entropies[i] / samples.samples();
            }
          }
          Kernels.entropyRows(mean, entropies, 0);
          for (int i = 0; i < rows; i++) {
            result[from + i] += entropies[i];
          }
        });
    return result;
  }
}
