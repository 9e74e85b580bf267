package org.alfamix.datasets.video;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ClipSamplingTest {

  @Test
  void centresClipsForTesting() {
    assertArrayEquals(new int[] {3, 5, 7}, new ClipSampling(3, 2).centred(11));
    assertArrayEquals(new int[] {0, 2, 4}, new ClipSampling(3, 2).centred(5));
    int[] paper = ClipSampling.PAPER.centred(100);
    assertEquals(32, paper.length);
    assertEquals(18, paper[0]);
    assertEquals(80, paper[31]);
  }

  @Test
  void startsClipsForTrainingAtRandom() {
    SplittableRandom random = new SplittableRandom(1);
    Set<Integer> starts = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      int[] clip = new ClipSampling(3, 2).random(8, random);
      assertEquals(clip[0] + 4, clip[2]);
      assertTrue(clip[2] < 8);
      starts.add(clip[0]);
    }
    assertEquals(Set.of(0, 1, 2, 3), starts);
  }

  @Test
  void spacesFramesOfShortVideosEvenly() {
    assertArrayEquals(new int[] {0, 0, 1, 1}, new ClipSampling(4, 2).centred(2));
    assertArrayEquals(
        new int[] {0, 0, 1, 1}, new ClipSampling(4, 2).random(2, new SplittableRandom(1)));
    assertArrayEquals(new int[] {1, 3, 6, 8}, ClipSampling.even(10, 4));
    for (int total = 1; total < 60; total++) {
      int[] frames = ClipSampling.PAPER.centred(total);
      assertTrue(frames[0] >= 0 && frames[31] < total);
      assertArrayEquals(frames, Arrays.stream(frames).sorted().toArray());
    }
  }

  @Test
  void rejectsEmptyVideosAndClips() {
    assertThrows(IllegalArgumentException.class, () -> ClipSampling.even(0, 3));
    assertThrows(IllegalArgumentException.class, () -> new ClipSampling(0, 1));
  }
}
