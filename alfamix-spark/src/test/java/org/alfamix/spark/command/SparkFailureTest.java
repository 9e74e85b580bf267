package org.alfamix.spark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.alfamix.command.ExitCode;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

class SparkFailureTest {
  private static SparkException job(Throwable cause) {
    return new SparkException("Job aborted due to stage failure:\nlost task 0.0 in stage 1", cause);
  }

  @Test
  void findsInvalidDataAndRequestsOfTasks() {
    for (RuntimeException invalid :
        new RuntimeException[] {
          new DataException("pool, row 3: expected 4 values, found 3."),
          new InvalidDataException("row 3, column 1: not finite."),
          new InvalidRequestException("budget", "must be at least 1, got 0.")
        }) {
      assertSame(invalid, SparkFailure.translate(job(new RuntimeException(invalid))));
    }
  }

  @Test
  void reportsBugsOfTasksAsBugs() {
    for (RuntimeException bug :
        new RuntimeException[] {
          new NullPointerException("value"), new IllegalArgumentException("4 != 3")
        }) {
      RuntimeException found = SparkFailure.translate(job(bug));
      assertSame(bug, found);
      assertEquals(ExitCode.INTERNAL, ExitCode.of(found));
    }
  }

  @Test
  void reportsLostExecutorsAndFullDisksAsMissingResources() {
    RuntimeException lost = SparkFailure.translate(job(null));
    assertEquals(ExitCode.RESOURCE, ExitCode.of(lost));
    RuntimeException full = SparkFailure.translate(job(new IOException("No space left on device")));
    assertEquals("No space left on device", ((UncheckedIOException) full).getCause().getMessage());
    assertEquals(
        ExitCode.RESOURCE,
        ExitCode.of(SparkFailure.translate(job(new OutOfMemoryError("Java heap space")))));
  }

  @Test
  void reportsSettingsThatSparkRejects() {
    IllegalArgumentException rejected =
        new IllegalArgumentException("spark.sql.shuffle.partitions should be int, but was abc");
    rejected.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(
              "org.apache.spark.internal.config.ConfigHelpers$", "toNumber", null, 1)
        });
    assertEquals(ExitCode.USAGE, ExitCode.of(SparkFailure.translate(rejected)));
    // The same exception of alfamix would be a bug.
    assertEquals(
        ExitCode.INTERNAL,
        ExitCode.of(SparkFailure.translate(new IllegalArgumentException("spark.x is 3"))));
  }
}
