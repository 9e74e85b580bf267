package org.alfamix.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.junit.jupiter.api.Test;

class ProgressEstimateTest {
  private final Setting setting = Settings.find("letter-mlp").get(0).withRounds(1);
  private final Job slow = new Job(setting, Method.parse("gcnal"), 1);
  private final Job slowAgain = new Job(setting, Method.parse("gcnal"), 2);
  private final Job quick = new Job(setting, Method.parse("random"), 1);
  private final Job quickAgain = new Job(setting, Method.parse("random"), 2);

  private static Round round(int number, int labels, double seconds) {
    return new Round(
        number,
        new int[labels],
        0.5,
        1,
        1,
        Optional.empty(),
        Map.of("train", seconds),
        1,
        Map.of());
  }

  /** A label of gcnal costs ten times as much, so that the rest is estimated by method. */
  @Test
  void estimatesTheRemainingTimeByMethod() {
    Map<Job, Integer> planned = new LinkedHashMap<>();
    planned.put(slow, 0);
    planned.put(quick, 0);
    planned.put(slowAgain, 0);
    planned.put(quickAgain, 2);
    ProgressEstimate pace = new ProgressEstimate(planned, 2);
    assertEquals(0.25, pace.share(), 1e-9);
    assertTrue(Double.isNaN(pace.secondsLeft()));
    pace.round(slow, round(0, 100, 120));
    pace.round(slow, round(1, 200, 220));
    pace.round(quick, round(0, 100, 12));
    assertEquals((120 + 220 + 120 + 340) / 1360.0, pace.share(), 1e-9);
    assertEquals(Math.max((22 + 340) / 2.0, 340), pace.secondsLeft(), 1e-9);
    pace.failed(slowAgain);
    assertEquals(22, pace.secondsLeft(), 1e-9);
    pace.round(quick, round(1, 200, 22));
    assertEquals(1, pace.share(), 1e-9);
    assertEquals(0, pace.secondsLeft(), 1e-9);
  }
}
