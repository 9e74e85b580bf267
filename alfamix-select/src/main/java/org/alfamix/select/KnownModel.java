package org.alfamix.select;

import java.util.List;
import java.util.function.IntFunction;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.strategy.QueryStrategy;

/**
 * What labels and a given model tell a strategy before it looks at the pool: the classes, the
 * labelled embeddings, and a head, fitted to the labels where the strategy needs one and none was
 * given.
 *
 * @param labelled embeddings of the labelled items; no rows where nobody looks at them
 * @param head null where there is none and none is needed
 * @param remark what the user should know of the head, or null
 * @param fitSeconds the time it took to fit a head
 */
public record KnownModel(
    ClassNames classes, FloatMatrix labelled, LinearHead head, String remark, double fitSeconds) {

  /**
   * What a caller has of a model.
   *
   * @param head the last layer, or null
   * @param classNames names of the classes in the order of the head's rows, or null
   * @param columns number of classes of the head or the probabilities; 0 where there are neither
   * @param columnsOf what has so many classes, for messages
   * @param hasProbabilities whether class probabilities of the pool are known
   * @param hasDropout whether class probabilities under dropout are known
   */
  public record Given(
      LinearHead head,
      List<String> classNames,
      int columns,
      String columnsOf,
      boolean hasProbabilities,
      boolean hasDropout) {

    boolean lacksHead(QueryStrategy strategy) {
      return head == null && HeadFit.isNeeded(strategy, hasProbabilities, hasDropout);
    }
  }

  /**
   * Puts together what is known.
   *
   * @param embeddings returns the embeddings of the first so many labelled items, checked; called
   *     once
   * @throws org.alfamix.error.InvalidRequestException where nothing is labelled and the strategy
   *     cannot do without
   */
  public static KnownModel of(
      QueryStrategy strategy, Labels labels, IntFunction<FloatMatrix> embeddings, Given given) {
    ClassNames classes =
        ClassNames.of(labels, given.classNames(), given.columns(), given.columnsOf());
    boolean fits = given.lacksHead(strategy);
    if (labels.size() == 0) {
      HeadFit.requireMeansForNothingLabelled(strategy, fits);
    }
    // All labelled items are brought into memory only for strategies that look at them.
    boolean all = strategy.usesLabelled() || fits;
    int compared = given.head() == null ? 0 : Math.min(labels.size(), HeadFit.MOST_TO_SUSPECT);
    FloatMatrix read = embeddings.apply(all ? labels.size() : compared);
    FloatMatrix labelled = all ? read : FloatMatrix.zeros(0, read.columns());
    if (!fits) {
      String doubt =
          given.head() == null ? null : HeadFit.suspicion(given.head(), read, classes.labels());
      return new KnownModel(classes, labelled, given.head(), doubt, 0);
    }
    long start = System.nanoTime();
    HeadFit fit = HeadFit.of(labels, read, classes);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new KnownModel(classes, labelled, fit.head(), fit.remark(), seconds);
  }
}
