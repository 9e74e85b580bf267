package org.alfamix.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.LongStream;
import org.alfamix.data.EmbeddedTable;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private final Simulation simulation = new Simulation(EmbeddedTable.DIGITS.read(), 20, 4);

  private double[] accuracy(String strategy, long seed) {
    return simulation.run(Strategies.create(strategy, Map.of()), seed, () -> {}).accuracy();
  }

  @Test
  void allStrategiesBeginWithTheSameLabels() {
    assertEquals(accuracy("random", 5)[0], accuracy("alfamix", 5)[0]);
  }

  /** Five seeds, to be safe from chance: alfamix leads by several points here. */
  @Test
  void alfamixLearnsFasterThanRandomDraws() {
    double random = LongStream.range(0, 5).mapToDouble(s -> accuracy("random", s)[4]).sum();
    double alfamix = LongStream.range(0, 5).mapToDouble(s -> accuracy("alfamix", s)[4]).sum();
    assertTrue(alfamix > random, alfamix / 5 + " against " + random / 5);
  }
}
