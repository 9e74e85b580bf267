package org.alfamix.studio.web;

import java.util.List;

/**
 * The progress of a project, shown in one line.
 *
 * @param batch the current batch; null before the first
 * @param labels number of labelled items
 * @param activity current background work; empty for none
 * @param failure reason why the last background work failed; empty for none
 * @param unreadable items that cannot be read, with the reasons
 */
record StateView(
    Batch batch, int labels, String activity, String failure, List<String> unreadable) {
  private static final int MAX_REASONS = 5;

  /**
   * A batch and the accuracy of the model that selected it.
   *
   * @param number counted from 1
   * @param tested number of labelled held-out items
   * @param from lower end of the accuracy's confidence interval
   */
  record Batch(
      int number, int done, int all, int tested, String accuracy, String from, String to) {}

  String unreadableReasons() {
    return String.join("; ", unreadable.stream().limit(MAX_REASONS).toList());
  }
}
