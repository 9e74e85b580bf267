package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.alfamix.command.ProgressLine;
import org.junit.jupiter.api.Test;

class StagesTest {

  @Test
  void showsStageAndProgress() throws InterruptedException {
    StringWriter err = new StringWriter();
    CountDownLatch shown = new CountDownLatch(1);
    Stages stages =
        new Stages(
            new ProgressLine(
                new PrintWriter(err) {
                  @Override
                  public void flush() {
                    shown.countDown();
                  }
                },
                true));
    stages.begin("selecting with entropy", () -> ", pass 2 over the pool, 37 %");
    assertTrue(shown.await(1, TimeUnit.MINUTES));
    stages.clear();
    assertTrue(
        err.toString().startsWith("\rselecting with entropy, pass 2 over the pool, 37 % … "),
        err.toString());
    assertTrue(err.toString().endsWith("\r\033[K"), err.toString());
  }

  @Test
  void printsNothingWithoutATerminal() {
    StringWriter err = new StringWriter();
    Stages stages = new Stages(new ProgressLine(new PrintWriter(err), false));
    stages.begin("reading");
    stages.clear();
    assertEquals("", err.toString());
  }
}
