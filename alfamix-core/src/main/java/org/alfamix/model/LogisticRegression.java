package org.alfamix.model;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/**
 * Fits a linear head to labelled embeddings: multinomial logistic regression with an L2 penalty on
 * the weights (not on the bias), minimized by L-BFGS. It starts from zero and is deterministic: the
 * same data give the same head.
 *
 * <p>D. Liu and J. Nocedal, "On the limited memory BFGS method for large scale optimization",
 * Mathematical Programming 45, 1989.
 */
public final class LogisticRegression {
  private static final int BLOCK = 256;
  private static final int MEMORY = 10;

  /**
   * Options of the fit.
   *
   * @param penalty λ in Σ cross-entropy + λ/2 ‖W‖²
   * @param maxIterations maximum number of steps
   * @param tolerance maximum absolute component of the gradient at convergence, divided by the
   *     number of items
   */
  public record Options(double penalty, int maxIterations, double tolerance) {
    public static final Options DEFAULT = new Options(1, 500, 1e-4);

    public Options {
      if (!(penalty > 0 && penalty < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "penalty must be above 0 and finite, got " + penalty + ".");
      }
      if (maxIterations < 1) {
        throw new IllegalArgumentException(
            "maxIterations must be at least 1, got " + maxIterations + ".");
      }
      if (!(tolerance > 0)) {
        throw new IllegalArgumentException("tolerance must be above 0, got " + tolerance + ".");
      }
    }
  }

  /**
   * A fitted head.
   *
   * @param converged whether the gradient met the tolerance within the maximum number of steps, or
   *     was within 100 times the tolerance when the line search found no further decrease, which is
   *     the limit of float precision
   */
  public record Fit(LinearHead head, int iterations, boolean converged) {}

  /** The items minus their mean. The shift only changes the bias and speeds up convergence. */
  private final FloatMatrix items;

  private final float[] mean;
  private final int[] labels;
  private final int classes;
  private final int features;
  private final double penalty;
  private final PackedRows columns;

  private LogisticRegression(FloatMatrix items, int[] labels, int classes, double penalty) {
    this.mean = items.columnMeans();
    this.items = items.minus(mean);
    this.labels = labels;
    this.classes = classes;
    this.features = items.columns();
    this.penalty = penalty;
    this.columns = Kernels.packColumns(this.items);
  }

  /**
   * Fits a head with {@code classes} classes; those without labelled items receive low
   * probabilities.
   */
  public static Fit fit(FloatMatrix items, int[] labels, int classes, Options options) {
    if (items.rows() == 0) {
      throw new IllegalArgumentException("Fitting a head requires at least one labelled item.");
    }
    if (labels.length != items.rows()) {
      throw new IllegalArgumentException(
          "Expected %d labels, one per item, found %d.".formatted(items.rows(), labels.length));
    }
    for (int label : labels) {
      if (label < 0 || label >= classes) {
        throw new IllegalArgumentException(
            "Expected labels from 0 to %d, found %d.".formatted(classes - 1, label));
      }
    }
    items.requireFinite("items");
    return Parallel.inPool(
        () -> new LogisticRegression(items, labels, classes, options.penalty()).minimize(options));
  }

  private record Pair(double[] step, double[] change, double curvature) {}

  private Fit minimize(Options options) {
    int size = classes * features + classes;
    double[] x = new double[size];
    double[] gradient = new double[size];
    double value = evaluate(x, gradient);
    Deque<Pair> memory = new ArrayDeque<>();
    double threshold = options.tolerance() * items.rows();
    for (int iteration = 0; iteration < options.maxIterations(); iteration++) {
      if (maxAbs(gradient) <= threshold) {
        return new Fit(shiftedHead(x), iteration, true);
      }
      double[] direction = direction(gradient, memory);
      double slope = dot(gradient, direction);
      double length = memory.isEmpty() ? 1 / Math.max(1, Math.sqrt(dot(gradient, gradient))) : 1;
      double[] next = new double[size];
      double[] nextGradient = new double[size];
      double nextValue = Double.POSITIVE_INFINITY;
      // Armijo's rule. The penalty makes the function strictly convex in W, so halving suffices.
      for (int halvings = 0; halvings < 40; halvings++, length /= 2) {
        for (int i = 0; i < size; i++) {
          next[i] = x[i] + length * direction[i];
        }
        nextValue = evaluate(next, nextGradient);
        if (nextValue <= value + 1e-4 * length * slope) {
          break;
        }
      }
      if (!(nextValue < value)) {
        // The minimum within the precision of the float products.
        return new Fit(shiftedHead(x), iteration, maxAbs(gradient) <= 100 * threshold);
      }
      remember(memory, x, next, gradient, nextGradient);
      x = next;
      gradient = nextGradient;
      value = nextValue;
    }
    return new Fit(shiftedHead(x), options.maxIterations(), maxAbs(gradient) <= threshold);
  }

  /**
   * Returns the loss at x and writes its gradient. Parameters are the weights row by row, then the
   * bias.
   */
  private double evaluate(double[] x, double[] gradient) {
    LinearHead head = head(x);
    int n = items.rows();
    // Residuals p − e_y, one row per class: their products with the columns are the gradient.
    FloatMatrix residuals = FloatMatrix.zeros(classes, n);
    double[] losses = new double[(n + BLOCK - 1) / BLOCK];
    Parallel.forBlocks(
        n,
        BLOCK,
        (from, to) -> {
          FloatMatrix p = head.logits(items.slice(from, to));
          double loss = 0;
          for (int i = from; i < to; i++) {
            int row = p.rowOffset(i - from);
            loss += p.array()[row + Kernels.argmax(p.array(), row, classes)];
            loss -= p.array()[row + labels[i]];
          }
          Kernels.softmaxRows(p);
          for (int i = from; i < to; i++) {
            int row = p.rowOffset(i - from);
            // −log p_y = max logit − logit y + log Σ, and the largest probability is 1/Σ.
            loss -= Math.log(p.array()[row + Kernels.argmax(p.array(), row, classes)]);
            for (int k = 0; k < classes; k++) {
              residuals.array()[k * n + i] = p.array()[row + k] - (labels[i] == k ? 1 : 0);
            }
          }
          losses[from / BLOCK] = loss;
        });
    int stride = columns.stride();
    Parallel.forBlocks(
        classes,
        8,
        (from, to) -> {
          float[] products = new float[(to - from) * stride];
          Kernels.dots(residuals.slice(from, to), columns, products);
          for (int k = from; k < to; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
              sum += residuals.get(k, i);
            }
            gradient[classes * features + k] = sum;
            for (int d = 0; d < features; d++) {
              gradient[k * features + d] =
                  products[(k - from) * stride + d] + penalty * x[k * features + d];
            }
          }
        });
    double value = Arrays.stream(losses).sum();
    for (int i = 0; i < classes * features; i++) {
      value += 0.5 * penalty * x[i] * x[i];
    }
    return value;
  }

  private LinearHead head(double[] x) {
    float[] weights = new float[classes * features];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) x[i];
    }
    float[] bias = new float[classes];
    for (int k = 0; k < classes; k++) {
      bias[k] = (float) x[weights.length + k];
    }
    return new LinearHead(FloatMatrix.wrap(weights, classes, features), bias);
  }

  /** Returns the head for items that are not centred, with the bias b − W · mean. */
  private LinearHead shiftedHead(double[] x) {
    double[] shifted = x.clone();
    for (int k = 0; k < classes; k++) {
      for (int d = 0; d < features; d++) {
        shifted[classes * features + k] -= (float) x[k * features + d] * (double) mean[d];
      }
    }
    return head(shifted);
  }

  /** Computes the descent direction by the two-loop recursion of L-BFGS. */
  private static double[] direction(double[] gradient, Deque<Pair> memory) {
    double[] q = gradient.clone();
    double[] factors = new double[memory.size()];
    int at = memory.size();
    for (Iterator<Pair> newestFirst = memory.descendingIterator(); newestFirst.hasNext(); ) {
      Pair pair = newestFirst.next();
      factors[--at] = dot(pair.step(), q) / pair.curvature();
      add(q, -factors[at], pair.change());
    }
    if (!memory.isEmpty()) {
      Pair newest = memory.getLast();
      double scale = newest.curvature() / dot(newest.change(), newest.change());
      for (int i = 0; i < q.length; i++) {
        q[i] *= scale;
      }
    }
    for (Pair pair : memory) {
      double factor = factors[at++] - dot(pair.change(), q) / pair.curvature();
      add(q, factor, pair.step());
    }
    for (int i = 0; i < q.length; i++) {
      q[i] = -q[i];
    }
    return q;
  }

  private static void remember(
      Deque<Pair> memory, double[] x, double[] next, double[] gradient, double[] nextGradient) {
    double[] step = next.clone();
    add(step, -1, x);
    double[] change = nextGradient.clone();
    add(change, -1, gradient);
    double curvature = dot(step, change);
    if (curvature > 1e-10 * dot(change, change)) {
      memory.addLast(new Pair(step, change, curvature));
      if (memory.size() > MEMORY) {
        memory.removeFirst();
      }
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void add(double[] y, double factor, double[] x) {
    for (int i = 0; i < y.length; i++) {
      y[i] += factor * x[i];
    }
  }

  private static double maxAbs(double[] x) {
    double max = 0;
    for (double value : x) {
      max = Math.max(max, Math.abs(value));
    }
    return max;
  }
}
