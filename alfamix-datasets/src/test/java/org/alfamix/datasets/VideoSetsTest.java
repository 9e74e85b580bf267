package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads the layouts of the publishers. Empty files suffice, because no video is decoded. */
class VideoSetsTest {
  @TempDir private Path folder;

  private static List<String> ids(Dataset.Part part) {
    return IntStream.range(0, part.size()).mapToObj(part.inputs()::id).toList();
  }

  private static void touch(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  @ParameterizedTest
  @CsvSource({
    "clap/The_Slow_Clap_clap_u_cm_np1_fr_med_4.avi, The_Slow_Clap_clap_u_cm_np1_fr_med",
    "Archery/v_Archery_g02_c05.avi, v_Archery_g02",
    "a/IMG_0001.mp4, IMG_0001",
    "a/holiday.mp4, holiday",
    "a/video12-clip3.mov, video12",
    "a/2024-05-01_part_2.webm, 2024-05-01",
  })
  void treatsTheLastNumberAsTheNumberOfTheClip(String clip, String source) {
    assertEquals(source, SourceVideos.byDefaultPattern().of(clip));
  }

  @Test
  void usesACustomPatternForSources() {
    SourceVideos sources = SourceVideos.byPattern("(cam\\d).*");
    assertEquals("cam1", sources.of("a/cam1-morning.mp4"));
    assertEquals(
        "x", SourceVideos.byPattern("(cam)?.*").of("a/x.mp4"), "an empty group is ignored");
    assertEquals("other", sources.of("a/other.mp4"), "other names are separate sources");
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> SourceVideos.byPattern("cam\\d"))
            .getMessage()
            .contains("expected a group"));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> SourceVideos.byPattern("(cam"))
            .getMessage()
            .contains("not a regular expression"));
  }

  @Test
  void neverSplitsASource() {
    List<String> paths = new ArrayList<>();
    List<Integer> labels = new ArrayList<>();
    for (int k = 0; k < 3; k++) {
      for (int source = 0; source < 20; source++) {
        for (int clip = 0; clip <= source % 4; clip++) {
          paths.add("c%d/film%d%d_%d.avi".formatted(k, k, source, clip));
          labels.add(k);
        }
      }
    }
    // All sources of the first class but four have an unlabelled clip.
    for (int source = 0; source < 16; source++) {
      paths.add("unlabelled/film0%d_9.avi".formatted(source));
      labels.add(Dataset.UNLABELLED);
    }
    // One source has clips of two classes.
    paths.add("c1/both7_1.avi");
    labels.add(1);
    paths.add("c2/both7_2.avi");
    labels.add(2);
    int[] classes = labels.stream().mapToInt(i -> i).toArray();
    SourceVideos sources = SourceVideos.byDefaultPattern();
    boolean[] test = sources.test(paths, classes, 0.2, 7);
    Set<String> inTest = new HashSet<>();
    Set<String> inPool = new HashSet<>();
    int[] count = new int[3];
    for (int i = 0; i < test.length; i++) {
      (test[i] ? inTest : inPool).add(sources.of(paths.get(i)));
      if (test[i]) {
        count[classes[i]]++;
      }
    }
    inTest.retainAll(inPool);
    assertEquals(Set.of(), inTest);
    for (int each : count) {
      assertEquals(10, each, 2, "a fifth of 50");
    }
    assertEquals(test[test.length - 2], test[test.length - 1]);
  }

  /** Clips may be added every day, and test items must not become training items. */
  @Test
  void movesFewItemsWhenClipsAreAdded() {
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      paths.add("a/IMG_%04d.mp4".formatted(i));
    }
    boolean[] before = SourceVideos.byDefaultPattern().test(paths, new int[100], 0.2, 7);
    List<String> more = new ArrayList<>(paths);
    for (int i = 100; i < 110; i++) {
      more.add("a/IMG_%04d.mp4".formatted(i));
    }
    boolean[] after = SourceVideos.byDefaultPattern().test(more, new int[110], 0.2, 7);
    int changed = 0;
    for (int i = 0; i < 100; i++) {
      changed += before[i] == after[i] ? 0 : 1;
    }
    assertTrue(changed <= 4, changed + " of 100 moved to the other part");
  }

  @Test
  void keepsAClassWithOneSourceInThePool() {
    boolean[] test =
        SourceVideos.byDefaultPattern()
            .test(List.of("a/f1_1.avi", "a/f1_2.avi"), new int[] {0, 0}, 0.9, 1);
    assertFalse(test[0] || test[1]);
  }

  private void hmdb() throws IOException {
    Path own = folder.resolve("hmdb51");
    for (String name : List.of("brush_hair", "wave")) {
      List<String> split = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        String clip = "Film%d_%s_u_nm_np1_ba_goo_%d.avi".formatted(i / 2, name, i % 2);
        touch(own.resolve(name).resolve(clip));
        split.add(clip + " " + (i < 5 ? 1 : i < 8 ? 2 : 0) + " ");
      }
      Path lists = Files.createDirectories(own.resolve("testTrainMulti_7030_splits"));
      Files.write(lists.resolve(name + "_test_split2.txt"), split);
    }
  }

  @Test
  void splitsHmdbBySourceOrAsPublished() throws IOException {
    hmdb();
    Dataset seeded = Datasets.open("hmdb51", folder);
    assertEquals(List.of("brush_hair", "wave"), seeded.classNames());
    assertEquals(16, seeded.pool().size());
    assertEquals(4, seeded.test().size());
    assertEquals(InputShape.video(32, 224, 224), seeded.shape());
    Set<String> pool = new HashSet<>();
    ids(seeded.pool()).forEach(id -> pool.add(id.replaceAll("_\\d.avi", "")));
    ids(seeded.test()).forEach(id -> assertFalse(pool.contains(id.replaceAll("_\\d.avi", ""))));
    Dataset official = Datasets.open("hmdb51-split2", folder);
    assertEquals(10, official.pool().size());
    assertEquals(6, official.test().size(), "clips with 0 are unused");
    assertTrue(
        assertThrows(DataException.class, () -> Datasets.open("hmdb51-split1", folder))
            .getMessage()
            .contains("brush_hair_test_split1.txt: no such file"));
    Files.writeString(
        folder.resolve("hmdb51/testTrainMulti_7030_splits/wave_test_split2.txt"), "other.avi 1\n");
    assertTrue(
        assertThrows(DataException.class, () -> Datasets.open("hmdb51-split2", folder))
            .getMessage()
            .endsWith("wave_test_split2.txt, line 1: the clip wave/other.avi does not exist."));
  }

  @Test
  void readsTheListsOfUcf() throws IOException {
    Path own = folder.resolve("ucf101");
    List<String> train = new ArrayList<>();
    List<String> test = new ArrayList<>();
    for (String name : List.of("ApplyEyeMakeup", "YoYo")) {
      for (int g = 1; g <= 4; g++) {
        String clip = "%s/v_%s_g0%d_c01.avi".formatted(name, name, g);
        touch(own.resolve("UCF-101").resolve(clip));
        (g <= 3 ? train : test).add(clip + (g <= 3 ? " 1" : ""));
      }
    }
    Path lists = Files.createDirectories(own.resolve("ucfTrainTestlist"));
    Files.write(lists.resolve("trainlist01.txt"), train);
    Files.write(lists.resolve("testlist01.txt"), test);
    Files.write(lists.resolve("trainlist03.txt"), test);
    Files.write(lists.resolve("testlist03.txt"), train);
    Dataset first = Datasets.open("ucf101", folder);
    assertEquals(6, first.pool().size());
    assertEquals(
        List.of("ApplyEyeMakeup/v_ApplyEyeMakeup_g04_c01.avi", "YoYo/v_YoYo_g04_c01.avi"),
        ids(first.test()));
    assertEquals(6, Datasets.open("ucf101-split3", folder).test().size());
  }

  /** Reads the AVI files of the publisher; the list of test items has names without extensions. */
  @Test
  void readsJhmdbFromThePublishersFolders() throws IOException {
    List<String> test;
    try (InputStream in = VideoSets.class.getResourceAsStream("jhmdb-test.txt")) {
      test = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    Path own = folder.resolve("jhmdb/ReCompress_Videos");
    for (String clip : test) {
      touch(own.resolve(clip + ".avi"));
      touch(
          own.resolve(clip.substring(0, clip.indexOf('/')) + "/pool_" + clip.hashCode() + ".avi"));
    }
    Dataset data = Datasets.open("jhmdb", folder);
    assertEquals(185, data.test().size());
    assertEquals(185, data.pool().size());
    assertEquals(21, data.classes());
    Files.delete(own.resolve(test.get(0) + ".avi"));
    assertTrue(
        assertThrows(DataException.class, () -> Datasets.open("jhmdb", folder))
            .getMessage()
            .contains("1 of the 185 clips of the test list are missing"));
  }

  /** Uses the real clips and the list in the repository. */
  @Test
  void neverSplitsASourceOfJhmdb() throws IOException {
    Path zip = Path.of("../../shared/data/jhmdb-clips/jhmdb-clips-mp4.zip");
    assumeTrue(Files.exists(zip), "skipped: " + zip + " does not exist");
    Path own = Files.createDirectories(folder.resolve("jhmdb"));
    Files.copy(zip, own.resolve("jhmdb-clips-mp4.zip"));
    Dataset data = Datasets.open("jhmdb", folder);
    DatasetEntry entry = Datasets.named("jhmdb").orElseThrow();
    assertEquals(21, data.classes());
    assertEquals(entry.pool(), data.pool().size());
    assertEquals(entry.test(), data.test().size());
    Set<String> pool = new HashSet<>();
    ids(data.pool()).forEach(id -> pool.add(id.replaceAll("_\\d+\\.mp4$", "")));
    Set<String> test = new HashSet<>();
    ids(data.test()).forEach(id -> test.add(id.replaceAll("_\\d+\\.mp4$", "")));
    assertEquals(571, pool.size() + test.size(), "source videos");
    test.retainAll(pool);
    assertEquals(Set.of(), test);
    for (int k = 0; k < 21; k++) {
      int label = k;
      long inTest = IntStream.of(data.test().labels()).filter(l -> l == label).count();
      assertTrue(inTest >= 7, data.classNames().get(k) + ": " + inTest);
    }
  }
}
