package org.alfamix.select;

import java.util.List;
import java.util.function.IntFunction;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;
import org.alfamix.strategy.QueryStrategy;

/**
 * The classes, labelled embeddings and head that are available before the pool is read. The head is
 * fitted to the labels if the strategy needs one and none was given.
 *
 * @param labelled embeddings of the labelled items; no rows if the strategy does not use them
 * @param head null if there is none and none is needed
 * @param remark a note for the user on the head, or null
 * @param fitSeconds time of fitting a head
 */
public record KnownModel(
    ClassNames classes, FloatMatrix labelled, Head head, String remark, double fitSeconds) {

  /**
   * The parts of a model that a caller provides.
   *
   * @param head the last layer, or null
   * @param classNames names of the classes in the order of the head's rows, or null
   * @param columns number of classes of the head or the probabilities; 0 if there are neither
   * @param columnsOf the name of the head or the probabilities, for messages
   * @param hasProbabilities whether class probabilities of the pool are known
   * @param hasDropout whether class probabilities under dropout are known
   */
  public record Given(
      Head head,
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
   * Reads the labelled embeddings, and fits a head if necessary.
   *
   * @param embeddings returns the validated embeddings of the first n labelled items; called once
   * @throws org.alfamix.error.InvalidRequestException if nothing is labelled and the strategy needs
   *     labels
   */
  public static KnownModel of(
      QueryStrategy strategy, Labels labels, IntFunction<FloatMatrix> embeddings, Given given) {
    ClassNames classes =
        ClassNames.of(labels, given.classNames(), given.columns(), given.columnsOf());
    boolean fits = given.lacksHead(strategy);
    if (labels.size() == 0) {
      HeadFit.checkColdStart(strategy, fits);
    }
    // All labelled items are loaded only for strategies that use them.
    boolean all = strategy.usesLabelled() || fits;
    int compared = given.head() == null ? 0 : Math.min(labels.size(), HeadFit.MAX_TO_CHECK);
    FloatMatrix read = embeddings.apply(all ? labels.size() : compared);
    FloatMatrix labelled = all ? read : FloatMatrix.zeros(0, read.columns());
    if (!fits) {
      String doubt =
          given.head() == null
              ? null
              : HeadFit.accuracyWarning(given.head(), read, classes.labels());
      return new KnownModel(classes, labelled, given.head(), doubt, 0);
    }
    long start = System.nanoTime();
    HeadFit fit = HeadFit.of(labels, read, classes);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new KnownModel(classes, labelled, fit.head(), fit.remark(), seconds);
  }
}
