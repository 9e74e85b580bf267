package org.alfamix.spark.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.apache.spark.SparkException;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/**
 * Finds the reason of a failure on the cluster, which Spark wraps in several exceptions with long
 * messages.
 */
final class SparkFailure {
  private SparkFailure() {}

  /**
   * Returns an exception of the type that commands report: invalid requests and data as such,
   * missing resources as {@link UncheckedIOException}. Any other exception of a task is a bug and
   * is returned unchanged.
   */
  static RuntimeException translate(Exception failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      Optional<RuntimeException> known = known(cause);
      if (known.isPresent()) {
        return known.get();
      }
      root = cause;
    }
    if (root instanceof SparkException) {
      // Without a cause, no task has failed by itself: executors were lost, or a limit was reached.
      return new UncheckedIOException(new IOException(firstLine(failure), failure));
    }
    return root instanceof RuntimeException bug ? bug : new IllegalStateException(root);
  }

  private static Optional<RuntimeException> known(Throwable cause) {
    if (cause instanceof DataException
        || cause instanceof InvalidDataException
        || cause instanceof InvalidRequestException
        || cause instanceof UncheckedIOException) {
      return Optional.of((RuntimeException) cause);
    }
    if (cause instanceof AnalysisException || isUnreadableFile(cause)) {
      return Optional.of(new DataException(firstLine(cause), cause));
    }
    if (cause instanceof IllegalArgumentException && namesSetting(cause)) {
      return Optional.of(new InvalidRequestException("Spark: " + firstLine(cause), cause));
    }
    if (cause instanceof IOException || cause instanceof OutOfMemoryError) {
      return Optional.of(new UncheckedIOException(new IOException(firstLine(cause), cause)));
    }
    return Optional.empty();
  }

  private static boolean isUnreadableFile(Throwable cause) {
    return cause instanceof SparkThrowable spark
        && spark.getCondition() != null
        && spark.getCondition().startsWith("FAILED_READ_FILE");
  }

  /** Returns whether Spark, not alfamix, rejected one of its settings. */
  private static boolean namesSetting(Throwable cause) {
    StackTraceElement[] trace = cause.getStackTrace();
    return trace.length > 0
        && trace[0].getClassName().matches("(org\\.apache\\.spark|scala)\\..*")
        && String.valueOf(cause.getMessage()).contains("spark.");
  }

  /** Returns the reason in one line; that of the cause if the first line only announces it. */
  private static String firstLine(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String line = message.lines().filter(each -> !each.isBlank()).findFirst().orElse(message);
    return line.stripTrailing().endsWith(":") && failure.getCause() != null
        ? firstLine(failure.getCause())
        : line;
  }
}
