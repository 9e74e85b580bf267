package org.alfamix.cli;

import java.util.Locale;
import org.alfamix.command.ProgressLine;
import org.alfamix.learn.Learner;

/** Shows the last epoch of a training. */
record TrainingProgress(ProgressLine line) implements Learner.FitListener {

  @Override
  public void epoch(int epoch, double accuracy, double loss) {
    line.update(
        () ->
            String.format(
                Locale.ROOT,
                "epoch %d: training accuracy %.1f %%, loss %.4f",
                epoch,
                100 * accuracy,
                loss));
  }
}
