package org.alfamix.graph;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.internal.Adam;
import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.Seeds;

/**
 * A graph convolutional network with two layers that learns to discriminate labelled from
 * unlabelled items by their neighbourhoods:
 *
 * <pre>  H = relu(A X W₁ + b₁),   s = A (dropout(H) w₂) + b₂,   loss on σ(s)</pre>
 *
 * <p>The loss is −mean log σ(s) over the labelled items minus λ · mean log(1 − σ(s)) over the
 * unlabelled ones. T. Kipf and M. Welling, "Semi-supervised classification with graph convolutional
 * networks", ICLR 2017, describe the layer; R. Caramalau, B. Bhattarai and T.-K. Kim, "Sequential
 * graph convolutional network for active learning", CVPR 2021, the loss.
 *
 * <p>Gradients are implemented by hand. The graph is low rank plus diagonal (see {@link
 * SimilarityGraph}), so a step costs two products with A X and a few with single vectors, in three
 * passes over blocks of items that fit in the cache.
 */
public final class GraphNetwork {
  /** Number of items per block: a panel of the products then fits in the first-level cache. */
  private static final int BLOCK = 256;

  /** Maximum number of partial sums of a gradient, for any number of items. */
  private static final int MAX_CHUNKS = 32;

  private final SimilarityGraph graph;
  private final int labelledFrom;
  private final Options options;
  private final int size;
  private final int features;
  private final int hidden;

  /** A X, and its transpose block by block. */
  private final FloatMatrix neighbourhoods;

  private final FloatMatrix[] transposed;

  /** W₁ (features × hidden), b₁, w₂, b₂, one after the other. */
  private final float[] parameters;

  private final int bias1;
  private final int weight2;
  private final int bias2;

  /**
   * Options of training.
   *
   * @param hidden number of hidden units
   * @param dropout share of hidden units dropped in training
   * @param learningRate learning rate of Adam
   * @param weightDecay weight decay of Adam
   * @param lambda weight of the unlabelled items in the loss
   * @param steps number of steps, each over the whole graph
   */
  public record Options(
      int hidden,
      double dropout,
      double learningRate,
      double weightDecay,
      double lambda,
      int steps) {

    public Options {
      InvalidRequestException.require(
          hidden >= 1 && hidden <= 1 << 16, "hidden", "must be 1 to 65536", hidden);
      InvalidRequestException.require(
          dropout >= 0 && dropout < 1, "dropout", "must be in [0, 1)", dropout);
      InvalidRequestException.require(
          learningRate > 0 && learningRate < Double.POSITIVE_INFINITY,
          "learningRate",
          "must be above 0 and finite",
          learningRate);
      InvalidRequestException.require(
          weightDecay >= 0 && weightDecay < Double.POSITIVE_INFINITY,
          "weightDecay",
          "must be at least 0 and finite",
          weightDecay);
      InvalidRequestException.require(
          lambda >= 0 && lambda < Double.POSITIVE_INFINITY,
          "lambda",
          "must be at least 0 and finite",
          lambda);
      InvalidRequestException.require(steps >= 0, "steps", "must be at least 0", steps);
    }
  }

  /**
   * Creates a network with random weights.
   *
   * @param labelledFrom index of the first labelled item; all items before it are unlabelled, and
   *     there must be at least one of each
   */
  public GraphNetwork(
      SimilarityGraph graph, int labelledFrom, Options options, RandomGenerator random) {
    this(graph, labelledFrom, options, new float[parameters(graph, options.hidden())]);
    // As in the authors' code: all weights of a layer are within ± 1/√(number of outputs).
    double first = 1 / Math.sqrt(hidden);
    for (int i = 0; i < parameters.length; i++) {
      double bound = i < weight2 ? first : 1;
      parameters[i] = (float) (bound * (2 * random.nextDouble() - 1));
    }
  }

  /**
   * Creates a network with these weights: W₁ (features × hidden), b₁, w₂, b₂, one after the other.
   */
  GraphNetwork(SimilarityGraph graph, int labelledFrom, Options options, float[] parameters) {
    if (labelledFrom < 1 || labelledFrom >= graph.size()) {
      throw new IllegalArgumentException(
          "labelledFrom must be in [1, %d), got %d: the graph needs labelled and unlabelled items."
              .formatted(graph.size(), labelledFrom));
    }
    this.graph = graph;
    this.labelledFrom = labelledFrom;
    this.options = options;
    this.size = graph.size();
    this.features = graph.items().columns();
    this.hidden = options.hidden();
    this.bias1 = features * hidden;
    this.weight2 = bias1 + hidden;
    this.bias2 = weight2 + hidden;
    this.parameters = parameters;
    this.neighbourhoods = graph.neighbourhoods();
    this.transposed = new FloatMatrix[(size + BLOCK - 1) / BLOCK];
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> transposed[from / BLOCK] = neighbourhoods.slice(from, to).transposed());
  }

  private static int parameters(SimilarityGraph graph, int hidden) {
    return Math.addExact(Math.multiplyExact(graph.items().columns(), hidden), 2 * hidden + 1);
  }

  /** Trains, starting from the current weights. */
  public void train(RandomGenerator random) {
    long seed = random.nextLong();
    Adam adam = new Adam(parameters.length, options.learningRate(), options.weightDecay());
    Step step = new Step();
    for (int t = 0; t < options.steps(); t++) {
      adam.step(parameters, step.gradient(seed, t));
    }
  }

  /**
   * Returns the outputs of the network for every item: its hidden units, followed by its score
   * before the sigmoid.
   */
  public FloatMatrix embed() {
    Step step = new Step();
    step.forward(0, 0, 0);
    FloatMatrix result = FloatMatrix.zeros(size, hidden + 1);
    for (int i = 0; i < size; i++) {
      System.arraycopy(step.units, i * hidden, result.array(), result.rowOffset(i), hidden);
      result.set(i, hidden, step.scores[i]);
    }
    return result;
  }

  /**
   * Returns the loss with the dropout of one step; writes its gradient in the order of the
   * parameters.
   */
  double lossAndGradient(long seed, int t, float[] gradient) {
    Step step = new Step();
    System.arraycopy(step.gradient(seed, t), 0, gradient, 0, gradient.length);
    double loss = 0;
    for (int i = 0; i < size; i++) {
      double s = step.scores[i];
      // −log σ(s), and −log(1 − σ(s)) = −log σ(−s).
      loss +=
          i >= labelledFrom
              ? softplus(-s) / (size - labelledFrom)
              : options.lambda() * softplus(s) / labelledFrom;
    }
    return loss;
  }

  /** Returns log(1 + eˣ), without overflow. */
  private static double softplus(double x) {
    return Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x)));
  }

  /** Returns the hidden units of each item that the dropout of one step keeps. */
  boolean[][] dropoutMask(long seed, int t) {
    boolean[][] result = new boolean[size][hidden];
    for (int from = 0; from < size; from += BLOCK) {
      int count = Math.min(BLOCK, size - from);
      float[] factors = new float[count * hidden];
      sampleDropoutFactors(Seeds.at(seed, t, from / BLOCK), options.dropout(), factors);
      for (int at = 0; at < factors.length; at++) {
        result[from + at / hidden][at % hidden] = factors[at] > 0;
      }
    }
    return result;
  }

  /**
   * Samples the dropout factors of hidden units: 0 or 1 / (1 − dropout). Every random number yields
   * four factors, because dropout needs no finer resolution than 1/65536. The code has no branch,
   * because it would be unpredictable.
   */
  private static void sampleDropoutFactors(
      SplittableRandom random, double dropout, float[] factors) {
    float[] choice = {(float) (1 / (1 - dropout)), 0};
    int drop = (int) Math.round(dropout * (1 << 16));
    int whole = factors.length & ~3;
    for (int at = 0; at < whole; at += 4) {
      long bits = random.nextLong();
      factors[at] = choice[((int) (bits & 0xffff) - drop) >>> 31];
      factors[at + 1] = choice[((int) (bits >>> 16 & 0xffff) - drop) >>> 31];
      factors[at + 2] = choice[((int) (bits >>> 32 & 0xffff) - drop) >>> 31];
      factors[at + 3] = choice[((int) (bits >>> 48) - drop) >>> 31];
    }
    for (int at = whole; at < factors.length; at++) {
      factors[at] = choice[(random.nextInt(1 << 16) - drop) >>> 31];
    }
  }

  /** The state of one step; its arrays are reused by the next one. */
  private final class Step {
    private final float[] units = new float[Math.multiplyExact(size, hidden)];
    private final float[] projected = new float[size];
    private final float[] scores = new float[size];

    /** The gradient of the loss with respect to the scores. */
    private final float[] byScore = new float[size];

    private final float[] gradient = new float[parameters.length];
    private final int chunk =
        BLOCK * Math.max(1, (transposed.length + MAX_CHUNKS - 1) / MAX_CHUNKS);
    private final float[][] chunks = new float[(size + chunk - 1) / chunk][];
    private final float[][] blockSums = new float[transposed.length][features];

    /** Computes H with the dropout of step t, and the scores. */
    void forward(double dropout, long seed, int t) {
      hiddenUnits(dropout, seed, t);
      float[] sum = sumOfBlocks(blockSums);
      Parallel.forBlocks(size, BLOCK, (from, to) -> scoreBlock(sum, from, to));
    }

    private void hiddenUnits(double dropout, long seed, int t) {
      PackedRows weights =
          Kernels.packColumns(FloatMatrix.wrap(Arrays.copyOf(parameters, bias1), features, hidden));
      Parallel.forBlocks(
          size,
          BLOCK,
          (from, to) -> {
            int stride = weights.stride();
            float[] products = Scratch.floats((to - from) * stride);
            Kernels.dots(neighbourhoods.slice(from, to), weights, products);
            float[] factors = new float[(to - from) * hidden];
            sampleDropoutFactors(Seeds.at(seed, t, from / BLOCK), dropout, factors);
            float[] sum = blockSums[from / BLOCK];
            Arrays.fill(sum, 0);
            for (int i = from; i < to; i++) {
              int row = i * hidden;
              int at = (i - from) * hidden;
              int product = (i - from) * stride;
              Kernels.rectify(
                  products, product, parameters, bias1, factors, at, units, row, hidden);
              projected[i] = Kernels.dot(units, row, parameters, weight2, hidden);
              addItem(i, graph.inverseDegrees()[i] * projected[i], sum);
            }
          });
    }

    /** Computes s = X (XᵀD⁻¹q) − D⁻¹q + q + b₂ and the gradient of the loss with respect to s. */
    private void scoreBlock(float[] sum, int from, int to) {
      float[] inverse = graph.inverseDegrees();
      float labelledWeight = 1f / (size - labelledFrom);
      float unlabelledWeight = (float) (options.lambda() / labelledFrom);
      float[] next = blockSums[from / BLOCK];
      Arrays.fill(next, 0);
      for (int i = from; i < to; i++) {
        float s = dotItem(i, sum) + (1 - inverse[i]) * projected[i] + parameters[bias2];
        scores[i] = s;
        double sigmoid = 1 / (1 + Math.exp(-s));
        byScore[i] =
            i >= labelledFrom
                ? (float) (-(1 - sigmoid) * labelledWeight)
                : (float) (sigmoid * unlabelledWeight);
        addItem(i, byScore[i], next);
      }
    }

    float[] gradient(long seed, int t) {
      forward(options.dropout(), seed, t);
      // Aᵀ = D⁻¹(XXᵀ − I) + I; the forward pass has left Xᵀ times the gradient with respect to the
      // scores in blockSums.
      float[] sum = sumOfBlocks(blockSums);
      Parallel.forBlocks(size, chunk, (from, to) -> chunks[from / chunk] = gradient(sum, from, to));
      Arrays.fill(gradient, 0);
      for (float[] each : chunks) {
        Kernels.axpy(1, each, 0, gradient, 0, gradient.length);
      }
      return gradient;
    }

    /** Returns the contribution of a chunk of items to the gradient. */
    private float[] gradient(float[] sum, int first, int last) {
      float[] result = chunks[first / chunk];
      if (result == null) {
        result = new float[parameters.length];
      }
      Arrays.fill(result, 0);
      float[] inverse = graph.inverseDegrees();
      float scale = (float) (1 / (1 - options.dropout()));
      for (int from = first; from < last; from += BLOCK) {
        int to = Math.min(last, from + BLOCK);
        FloatMatrix byUnit = FloatMatrix.zeros(to - from, hidden);
        for (int i = from; i < to; i++) {
          float g = inverse[i] * (dotItem(i, sum) - byScore[i]) + byScore[i];
          int row = i * hidden;
          Kernels.axpy(g, units, row, result, weight2, hidden);
          result[bias2] += byScore[i];
          float[] out = byUnit.array();
          int at = byUnit.rowOffset(i - from);
          // A positive unit was active and kept by dropout.
          Kernels.gate(g * scale, parameters, weight2, units, row, out, at, hidden);
          Kernels.axpy(1, out, at, result, bias1, hidden);
        }
        addFirstWeights(transposed[from / BLOCK], byUnit, result);
      }
      return result;
    }

    /** Adds (A X)ᵀ times the gradient with respect to the hidden units. */
    private void addFirstWeights(FloatMatrix columns, FloatMatrix byUnit, float[] result) {
      PackedRows packed = Kernels.packColumns(byUnit);
      int stride = packed.stride();
      float[] products = Scratch.floats(features * stride);
      Kernels.dots(columns, packed, products);
      for (int d = 0; d < features; d++) {
        Kernels.axpy(1, products, d * stride, result, d * hidden, hidden);
      }
    }

    private float dotItem(int i, float[] vector) {
      FloatMatrix items = graph.items();
      return Kernels.dot(items.array(), items.rowOffset(i), vector, 0, features);
    }

    private void addItem(int i, float factor, float[] sum) {
      FloatMatrix items = graph.items();
      Kernels.axpy(factor, items.array(), items.rowOffset(i), sum, 0, features);
    }

    /**
     * Sums in the order of the blocks, so that rounding does not depend on the number of threads.
     */
    private float[] sumOfBlocks(float[][] blocks) {
      float[] result = new float[features];
      for (float[] block : blocks) {
        Kernels.axpy(1, block, 0, result, 0, features);
      }
      return result;
    }
  }
}
