package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.alfamix.datasets.Dataset;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;

/**
 * Prints the data, the network and the result of training.
 *
 * @param out receives the report
 */
record TrainingReport(PrintWriter out, Dataset dataset, Learner learner) {

  /**
   * Prints the data and the network.
   *
   * @param device the device, in words
   */
  void begin(int labelled, String device) {
    out.printf(
        Locale.ROOT,
        "%s: %d classes, a pool of %,d items of %s, %,d test items.%n",
        dataset.name(),
        dataset.classes(),
        dataset.pool().size(),
        dataset.shape(),
        dataset.test().size());
    out.printf(
        Locale.ROOT,
        "%s: %,d parameters, embeddings of %d values; %,d labelled item%s, seed %d, %s.%n%n",
        learner.spec().network(),
        learner.parameters(),
        learner.features(),
        labelled,
        labelled == 1 ? "" : "s",
        learner.spec().seed(),
        device);
    out.flush();
  }

  /**
   * Prints accuracy, epochs and speed.
   *
   * @param accuracy on the test items; NaN if there are none
   * @param seconds the duration of the test
   */
  void end(Fit fit, double accuracy, double seconds) {
    boolean tested = !Double.isNaN(accuracy);
    if (tested) {
      out.printf(Locale.ROOT, "test accuracy    %6.1f %%%n", 100 * accuracy);
    } else {
      out.println("test accuracy    unknown    (no test items)");
    }
    out.printf(
        Locale.ROOT,
        "epochs           %6d     (training accuracy %.1f %%, loss %.4f)%n",
        fit.epochs(),
        100 * fit.accuracy(),
        fit.loss());
    out.printf(
        Locale.ROOT,
        "items per second %,6.0f     in training (%.1f s)%s%n%n",
        fit.itemsPerSecond(),
        fit.seconds(),
        tested
            ? String.format(
                Locale.ROOT, ", %,.0f in testing", dataset.test().size() / Math.max(1e-9, seconds))
            : "");
  }
}
