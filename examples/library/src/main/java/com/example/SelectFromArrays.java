package com.example;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.model.Snapshot;
import org.alfamix.select.Batch;
import org.alfamix.select.Pool;
import org.alfamix.select.PoolReader;
import org.alfamix.select.Query;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;

/** Selects from embeddings in memory, and from a file if one is given. */
public final class SelectFromArrays {
  private static final int ITEMS = 2_000;
  private static final int FEATURES = 16;
  private static final int CLASSES = 3;
  private static final int LABELLED = 60;

  private SelectFromArrays() {}

  public static void main(String[] args) {
    SplittableRandom random = new SplittableRandom(7);
    int[] truth = new int[ITEMS + LABELLED];
    FloatMatrix embeddings = embeddings(truth, random);
    FloatMatrix labelled = embeddings.slice(0, LABELLED);
    FloatMatrix pool = embeddings.slice(LABELLED, ITEMS + LABELLED);
    int[] labels = Arrays.copyOf(truth, LABELLED);

    // The last layer of your network; here, a logistic regression on the labels.
    LinearHead head =
        LogisticRegression.fit(labelled, labels, CLASSES, LogisticRegression.Options.DEFAULT)
            .head();
    Snapshot snapshot = Snapshot.of(pool).labelled(labelled, labels).head(head).build();

    QueryStrategy strategy = Strategies.create("alfamix", Map.of());
    Selection selection = strategy.select(snapshot, 5, new SplittableRandom(1));
    for (Pick pick : selection.picks()) {
      System.out.println("item " + pick.item() + ": " + pick.reason());
    }

    if (args.length > 0) {
      Pool file = PoolReader.standard().read(args[0]);
      Batch batch = Query.of(file).strategy("coreset", Map.of()).budget(3).run();
      batch.picks().forEach(pick -> System.out.println("row " + pick.item()));
    }
  }

  /** Returns three overlapping groups of points. */
  private static FloatMatrix embeddings(int[] truth, SplittableRandom random) {
    FloatMatrix matrix = FloatMatrix.zeros(truth.length, FEATURES);
    for (int i = 0; i < truth.length; i++) {
      truth[i] = i % CLASSES;
      for (int d = 0; d < FEATURES; d++) {
        double centre = d == truth[i] ? 2 : 0;
        matrix.set(i, d, (float) (centre + random.nextGaussian()));
      }
    }
    return matrix;
  }
}
