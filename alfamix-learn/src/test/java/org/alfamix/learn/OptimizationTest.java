package org.alfamix.learn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.junit.jupiter.api.Test;

class OptimizationTest {
  /** The paper's schedule for MViT. */
  private static final Optimization PAPER =
      new Optimization(Optimization.Method.ADAMW, 0.05, 30, Optional.of(5e-5));

  @Test
  void increasesTheRateLinearlyAndDecreasesItAlongACosine() {
    assertEquals(1e-6, PAPER.rate(1e-4, 0, 50), 1e-12);
    assertEquals(1e-4 * (0.01 + 0.99 / 2), PAPER.rate(1e-4, 15, 50), 1e-12);
    assertEquals(1e-4, PAPER.rate(1e-4, 30, 50), 1e-12);
    assertEquals(7.5e-5, PAPER.rate(1e-4, 40, 50), 1e-12);
    assertEquals(5e-5, PAPER.rate(1e-4, 50, 50), 1e-12);
    double last = 0;
    for (double epoch = 0; epoch <= 30; epoch += 0.125) {
      double rate = PAPER.rate(1e-4, epoch, 50);
      assertTrue(rate > last);
      last = rate;
    }
  }

  @Test
  void keepsTheRateConstantWithoutASchedule() {
    assertTrue(Optimization.ADAM.isConstant());
    assertEquals(1e-3, Optimization.ADAM.rate(1e-3, 7.5, 10));
    Optimization warm = new Optimization(Optimization.Method.ADAM, 0, 2, Optional.empty());
    assertEquals(1e-3, warm.rate(1e-3, 7.5, 10));
    assertEquals(5e-5, PAPER.rate(1e-4, 30, 30), 1e-12, "a fit that consists only of the warm-up");
  }

  @Test
  void rejectsInvalidValues() {
    assertEquals(
        "weight-decay applies only to adamw.",
        assertThrows(
                IllegalArgumentException.class,
                () -> new Optimization(Optimization.Method.ADAM, 0.1, 0, Optional.empty()))
            .getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> new Optimization(Optimization.Method.ADAMW, -1, 0, Optional.empty()));
    assertThrows(
        IllegalArgumentException.class,
        () -> new Optimization(Optimization.Method.ADAMW, 0, 0, Optional.of(0.0)));
    assertEquals(
        "optimizer is 'sgd', expected adam or adamw.",
        assertThrows(IllegalArgumentException.class, () -> Optimization.Method.parse("sgd"))
            .getMessage());
  }

  @Test
  void parsesAGoalAsAShareOrNone() {
    assertEquals(0.9, TrainingOptions.parseGoal("0.9"));
    assertEquals(TrainingOptions.NO_GOAL, TrainingOptions.parseGoal("none"));
    assertEquals("none", TrainingOptions.goalText(TrainingOptions.NO_GOAL));
    assertThrows(IllegalArgumentException.class, () -> TrainingOptions.parseGoal("never"));
    TrainingOptions usual = TrainingOptions.of("mlp", InputShape.table(2));
    assertThrows(IllegalArgumentException.class, () -> usual.withGoal(1.5));
    assertEquals(TrainingOptions.NO_GOAL, usual.withGoal(TrainingOptions.NO_GOAL).goal());
  }
}
