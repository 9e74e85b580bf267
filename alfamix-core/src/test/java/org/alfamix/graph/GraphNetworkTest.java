package org.alfamix.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.golden.GoldenCase;
import org.alfamix.golden.NpyFile;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the graph network with a dense reference in double precision. */
class GraphNetworkTest {
  private static GraphNetwork.Options options(int hidden, double dropout, int steps) {
    return new GraphNetwork.Options(hidden, dropout, 1e-2, 5e-4, 1.2, steps);
  }

  private static FloatMatrix items(int rows, int columns, boolean signed, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix result = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < result.array().length; i++) {
      double value = random.nextGaussian();
      result.array()[i] = (float) (signed ? value : Math.max(0, value));
    }
    return result;
  }

  private static float[] weights(int features, int hidden, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[] result = new float[features * hidden + 2 * hidden + 1];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) (0.5 * random.nextGaussian());
    }
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"edge", "few", "letter", "mnist"})
  void firstLayerMatchesGoldenValues(String name) {
    GoldenCase golden = GoldenCase.of(name);
    FloatMatrix pool = golden.pool().slice(0, Math.min(400, golden.pool().rows()));
    FloatMatrix labelled = golden.snapshot().labelled();
    FloatMatrix all = FloatMatrix.zeros(pool.rows() + labelled.rows(), pool.columns());
    pool.copyTo(all, 0);
    labelled.copyTo(all, pool.rows());
    NpyFile w1 = NpyFile.read(name + "/gcn_w1");
    int hidden = w1.shape()[1];
    float[] parameters = Arrays.copyOf(w1.floats(), w1.values().length + 2 * hidden + 1);
    System.arraycopy(
        NpyFile.read(name + "/gcn_b1").floats(), 0, parameters, w1.values().length, hidden);
    FloatMatrix found =
        new GraphNetwork(SimilarityGraph.of(all), pool.rows(), options(hidden, 0.3, 0), parameters)
            .embed();
    double[] expected = golden.expected("gcn_hidden");
    assertEquals(expected.length, all.rows() * hidden);
    for (int at = 0; at < expected.length; at++) {
      assertEquals(
          expected[at],
          found.get(at / hidden, at % hidden),
          1e-4 * Math.max(1, Math.abs(expected[at])),
          "row " + at / hidden);
    }
  }

  /**
   * Signed items have degrees of any sign, some of which are raised. The last case has several
   * blocks.
   */
  @ParameterizedTest
  @CsvSource({"40, 6, 5, 0, false", "40, 6, 5, 0.3, true", "1100, 9, 33, 0.3, false"})
  void gradientsMatchFiniteDifferences(
      int size, int features, int hidden, double dropout, boolean signed) {
    FloatMatrix items = items(size, features, signed, 3);
    int labelledFrom = size * 3 / 4;
    float[] parameters = weights(features, hidden, 4);
    SimilarityGraph graph = SimilarityGraph.of(items);
    assertTrue(signed == graph.raisedDegrees() > 0, "degrees are raised only for signed items");
    GraphNetwork network =
        new GraphNetwork(graph, labelledFrom, options(hidden, dropout, 0), parameters);
    float[] gradient = new float[parameters.length];
    double loss = network.lossAndGradient(77, 2, gradient);
    DenseReference reference = new DenseReference(graph, labelledFrom, hidden, dropout, network);
    double[] exact = new double[parameters.length];
    for (int i = 0; i < exact.length; i++) {
      exact[i] = parameters[i];
    }
    assertEquals(reference.loss(exact), loss, 1e-4 * loss);
    double largest = 0;
    for (float value : gradient) {
      largest = Math.max(largest, Math.abs(value));
    }
    assertTrue(largest > 1e-3, "a gradient of zeros tests nothing");
    int stride = Math.max(1, exact.length / 60);
    for (int p = 0; p < exact.length; p += p + stride < exact.length - 3 ? stride : 1) {
      double width = 1e-6;
      double old = exact[p];
      exact[p] = old + width;
      double above = reference.loss(exact);
      exact[p] = old - width;
      double below = reference.loss(exact);
      exact[p] = old;
      double expected = (above - below) / (2 * width);
      assertEquals(
          expected, gradient[p], 1e-3 * Math.abs(expected) + 1e-4 * largest, "parameter " + p);
    }
  }

  /** The same network with an explicit N × N graph, in double precision. */
  private static final class DenseReference {
    private final double[][] graph;
    private final double[][] items;
    private final int labelledFrom;
    private final int hidden;
    private final double dropout;
    private final boolean[][] keep;

    DenseReference(
        SimilarityGraph sparse,
        int labelledFrom,
        int hidden,
        double dropout,
        GraphNetwork network) {
      int n = sparse.size();
      this.labelledFrom = labelledFrom;
      this.hidden = hidden;
      this.dropout = dropout;
      this.items = new double[n][sparse.items().columns()];
      for (int i = 0; i < n; i++) {
        for (int d = 0; d < items[i].length; d++) {
          items[i][d] = sparse.items().get(i, d);
        }
      }
      this.graph = new double[n][n];
      for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
          double similarity = 0;
          for (int d = 0; d < items[i].length; d++) {
            similarity += items[i][d] * items[j][d];
          }
          graph[i][j] = i == j ? 1 : similarity * sparse.inverseDegrees()[j];
        }
      }
      this.keep = network.dropoutMask(77, 2);
    }

    double loss(double[] p) {
      int n = items.length;
      int features = items[0].length;
      double[][] first = new double[n][hidden];
      for (int i = 0; i < n; i++) {
        for (int d = 0; d < features; d++) {
          for (int j = 0; j < hidden; j++) {
            first[i][j] += items[i][d] * p[d * hidden + j];
          }
        }
      }
      double[] projected = new double[n];
      for (int i = 0; i < n; i++) {
        double[] sum = new double[hidden];
        for (int k = 0; k < n; k++) {
          for (int j = 0; j < hidden; j++) {
            sum[j] += graph[i][k] * first[k][j];
          }
        }
        for (int j = 0; j < hidden; j++) {
          double unit = Math.max(0, sum[j] + p[features * hidden + j]);
          projected[i] += keep[i][j] ? unit / (1 - dropout) * p[(features + 1) * hidden + j] : 0;
        }
      }
      double loss = 0;
      for (int i = 0; i < n; i++) {
        double s = p[p.length - 1];
        for (int k = 0; k < n; k++) {
          s += graph[i][k] * projected[k];
        }
        double sigmoid = 1 / (1 + Math.exp(-s));
        loss +=
            i >= labelledFrom
                ? -Math.log(sigmoid) / (n - labelledFrom)
                : -1.2 * Math.log(1 - sigmoid) / labelledFrom;
      }
      return loss;
    }
  }

  @Test
  void trainingLowersTheLossAndSeparatesLabelledFromUnlabelledItems() {
    // The labelled items come from one corner.
    FloatMatrix items = items(700, 12, false, 5);
    for (int i = 600; i < 700; i++) {
      items.set(i, 0, items.get(i, 0) + 6);
    }
    SimilarityGraph graph = SimilarityGraph.of(items);
    GraphNetwork network =
        new GraphNetwork(graph, 600, options(16, 0.3, 300), new SplittableRandom(1));
    float[] gradient = new float[12 * 16 + 33];
    double before = network.lossAndGradient(1, 1, gradient);
    network.train(new SplittableRandom(2));
    assertTrue(network.lossAndGradient(1, 1, gradient) < 0.8 * before);
    FloatMatrix features = network.embed();
    double unlabelled = 0;
    double labelled = 0;
    for (int i = 0; i < 700; i++) {
      if (i < 600) {
        unlabelled += features.get(i, 16) / 600;
      } else {
        labelled += features.get(i, 16) / 100;
      }
    }
    assertTrue(labelled > unlabelled + 0.5, labelled + " against " + unlabelled);
  }

  @Test
  void resultsAreTheSameOnAnyNumberOfThreads() {
    FloatMatrix items = items(1500, 20, true, 6);
    FloatMatrix[] found = new FloatMatrix[2];
    for (int run = 0; run < 2; run++) {
      found[run] =
          Parallel.with(
              1 + 3 * run,
              () -> {
                GraphNetwork network =
                    new GraphNetwork(
                        SimilarityGraph.of(items),
                        1400,
                        options(10, 0.3, 20),
                        new SplittableRandom(1));
                network.train(new SplittableRandom(2));
                return network.embed();
              });
    }
    assertArrayEquals(found[0].array(), found[1].array());
  }

  @Test
  void raisesDegreesNearOrBelowZero() {
    // Pairs of opposite items: every degree is −1 up to rounding. The last item is zero.
    FloatMatrix items = items(201, 8, true, 7);
    for (int i = 0; i < 100; i++) {
      for (int d = 0; d < 8; d++) {
        items.set(100 + i, d, -items.get(i, d));
      }
    }
    Arrays.fill(items.array(), 200 * 8, 201 * 8, 0);
    SimilarityGraph graph = SimilarityGraph.of(items);
    assertEquals(200, graph.raisedDegrees());
    assertEquals(0, graph.inverseDegrees()[200]);
    for (float value : graph.neighbourhoods().requireFinite("A X").array()) {
      assertTrue(Math.abs(value) < 20, "the norm of a column is at most 1: " + value);
    }
    // Orthogonal items have no similarity to others.
    FloatMatrix axes = FloatMatrix.zeros(5, 5);
    for (int i = 0; i < 5; i++) {
      axes.set(i, i, 2);
    }
    FloatMatrix isolated = SimilarityGraph.of(axes).neighbourhoods();
    for (int i = 0; i < 5; i++) {
      assertEquals(1, isolated.get(i, i), 1e-6);
    }
  }

  @Test
  void keepsOtherDegrees() {
    // Mostly positive items: similarities of both signs, with sums well above zero.
    FloatMatrix items = items(300, 16, true, 8);
    for (int i = 0; i < items.array().length; i++) {
      items.array()[i] += 0.6f;
    }
    SimilarityGraph graph = SimilarityGraph.of(items);
    int kept = 0;
    for (int i = 0; i < 300; i++) {
      double degree = -1;
      double squares = 0;
      for (int j = 0; j < 300; j++) {
        double similarity = 0;
        for (int d = 0; d < 16; d++) {
          similarity += (double) graph.items().get(i, d) * graph.items().get(j, d);
        }
        degree += similarity;
        squares += i == j ? 0 : similarity * similarity;
      }
      if (degree > 0.101 * Math.sqrt(squares)) {
        kept++;
        assertEquals(1 / degree, graph.inverseDegrees()[i], 1e-4 / degree, "item " + i);
      }
    }
    assertTrue(kept > 250);
    // Similarities that are small but accurate.
    FloatMatrix faint = FloatMatrix.zeros(6, 6);
    for (int i = 0; i < 6; i++) {
      for (int d = 0; d < 6; d++) {
        faint.set(i, d, i == d ? 1 : 1e-4f * (1 + d));
      }
    }
    for (float inverse : SimilarityGraph.of(faint).inverseDegrees()) {
      assertTrue(inverse > 100 && inverse < 1000, "1/degree is " + inverse);
    }
    // Disjoint supports: all similarities are zero, and none is negative.
    FloatMatrix apart = FloatMatrix.zeros(200, 2000);
    for (int i = 0; i < 200; i++) {
      for (int d = 0; d < 10; d++) {
        apart.set(i, 10 * i + d, 0.1f + d / 7f);
      }
    }
    assertEquals(0, SimilarityGraph.of(apart).raisedDegrees());
  }

  @Test
  void requiresLabelledAndUnlabelledItems() {
    SimilarityGraph graph = SimilarityGraph.of(items(5, 3, false, 1));
    for (int labelledFrom : new int[] {0, 5}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new GraphNetwork(graph, labelledFrom, options(2, 0, 1), new SplittableRandom(1)));
    }
  }
}
