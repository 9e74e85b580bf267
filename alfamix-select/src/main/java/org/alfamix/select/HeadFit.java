package org.alfamix.select;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;

/**
 * A logistic head that is fitted to the labels if no head was given.
 *
 * @param head the fitted head
 * @param description the data and the steps of the fit, for the user
 */
public record HeadFit(LinearHead head, String description) {
  /** The minimum number of labelled items for a check of a given head. */
  private static final int MIN_TO_CHECK = 10;

  /** The maximum number of labelled items that a given head is checked on. */
  static final int MAX_TO_CHECK = 2000;

  /**
   * The largest tolerated error of a logit; larger ones may change the second digit of a
   * probability.
   */
  private static final double MAX_ERROR = 0.01;

  /** Fits a head to labelled items. */
  public static HeadFit of(Labels labels, FloatMatrix labelled, ClassNames classes) {
    long seen = IntStream.of(classes.labels()).distinct().count();
    if (seen < 2) {
      throw new DataException(
          "%s: all labels belong to one class; fitting a head requires at least two classes."
              .formatted(labels.name()));
    }
    LogisticRegression.Fit fit =
        LogisticRegression.fit(
            labelled, classes.labels(), classes.count(), LogisticRegression.Options.DEFAULT);
    return new HeadFit(
        fit.head(),
        "%d labelled items of %d classes (%d steps%s)"
            .formatted(
                labels.size(),
                classes.count(),
                fit.iterations(),
                fit.converged() ? "" : ", not converged"));
  }

  /** Returns a note for the user. */
  public String remark() {
    return "no head was given; fitted a logistic head to " + description;
  }

  /** Returns whether a strategy needs a model and none was given in any form. */
  public static boolean isNeeded(QueryStrategy strategy, boolean probabilities, boolean dropout) {
    Set<Requirement> requirements = strategy.requirements();
    return requirements.contains(Requirement.HEAD)
        || requirements.contains(Requirement.INPUT_GRADIENTS)
        || (requirements.contains(Requirement.PROBABILITIES) && !probabilities)
        || (requirements.contains(Requirement.DROPOUT) && !dropout);
  }

  /**
   * Checks that a strategy can select without labels, at a cold start.
   *
   * @param lacksModel whether the strategy needs a model and there is none
   * @throws InvalidRequestException if an input is missing; it names the strategies that need none
   */
  public static void checkColdStart(QueryStrategy strategy, boolean lacksModel) {
    boolean lacksLabels = strategy.requirements().contains(Requirement.LABELLED);
    if (!lacksModel && !lacksLabels) {
      return;
    }
    String able =
        Strategies.all().stream()
            .filter(entry -> entry.create().requirements().isEmpty())
            .map(StrategyEntry::name)
            .collect(Collectors.joining(", "));
    throw new InvalidRequestException(
        "Strategy '%s' requires %s, but nothing is labelled yet; use one of %s for the first labels."
            .formatted(strategy.name(), lacksLabels ? "labelled items" : "a model", able));
  }

  /**
   * Checks that a head is more accurate than guessing on labelled items; otherwise its classes are
   * probably in a different order.
   *
   * @param labelled some labelled items
   * @param labels their classes, or more
   * @return a warning for the user, or null
   */
  public static String accuracyWarning(Head head, FloatMatrix labelled, int[] labels) {
    int count = Math.min(labelled.rows(), MAX_TO_CHECK);
    if (count < MIN_TO_CHECK || head.features() != labelled.columns()) {
      return null;
    }
    FloatMatrix logits = head.logits(labelled.slice(0, count));
    int right = 0;
    for (int i = 0; i < count; i++) {
      int predicted = Kernels.argmax(logits.array(), logits.rowOffset(i), logits.columns());
      right += predicted == labels[i] ? 1 : 0;
    }
    return (long) right * head.classes() > count
        ? null
        : ("the head is correct on only %d of the %d labelled items, no better than guessing; check"
                + " that its rows are in the order of the class names")
            .formatted(right, count);
  }

  /**
   * Compares the logits of some items with those in double precision. They differ if a large offset
   * that all embeddings share cancels in the logits.
   *
   * @return a warning for the user, or null if single precision is enough or the head is not linear
   */
  static String precisionWarning(Head any, FloatMatrix items) {
    if (!(any instanceof LinearHead head)) {
      return null;
    }
    FloatMatrix logits = head.logits(items);
    float[] bias = head.bias();
    double error = 0;
    double largest = 0;
    for (int i = 0; i < items.rows(); i++) {
      for (int k = 0; k < head.classes(); k++) {
        double exact = bias[k];
        for (int d = 0; d < items.columns(); d++) {
          exact += (double) head.weights().get(k, d) * items.get(i, d);
        }
        error = Math.max(error, Math.abs(exact - logits.get(i, k)));
        largest = Math.max(largest, Math.abs(exact));
      }
    }
    return error < MAX_ERROR || error < 1e-5 * largest
        ? null
        : String.format(
            Locale.ROOT,
            "predictions lose precision: errors of logits are up to %.2g; if the embeddings share a"
                + " large offset, subtract it and add weight · offset to the bias",
            error);
  }
}
