package org.alfamix.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/**
 * Writes files that report the progress of a selection: {@code halfway} after some tasks of the
 * pass for candidates, {@code lost} after the loss of an executor, {@code after} with the number of
 * tasks that ended later.
 */
public final class ProgressListener extends SparkListener {
  private final Path folder = Path.of(System.getProperty("alfamix.halfway"));
  private final int enough = Integer.getInteger("alfamix.halfway.tasks", 8);
  private final Set<Integer> scans = new HashSet<>();
  private int ended;
  private boolean lost;
  private int endedAfterLoss;

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted event) {
    if (event.stageInfo().name().contains("fold at AlfaMixJob")) {
      scans.add(event.stageInfo().stageId());
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd event) {
    if (!scans.contains(event.stageId()) || !event.taskInfo().successful()) {
      return;
    }
    endedAfterLoss += lost ? 1 : 0;
    if (++ended == enough) {
      write("halfway", ended);
    }
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    lost = true;
    write("lost", ended);
  }

  @Override
  public void onApplicationEnd(SparkListenerApplicationEnd event) {
    write("after", endedAfterLoss);
  }

  private void write(String name, int number) {
    try {
      Path temporary = folder.resolve(name + ".tmp");
      Files.writeString(temporary, Integer.toString(number));
      Files.move(temporary, folder.resolve(name));
    } catch (java.nio.file.FileAlreadyExistsException e) {
      // The first report is kept.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
