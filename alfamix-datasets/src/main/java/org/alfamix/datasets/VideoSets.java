package org.alfamix.datasets;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.io.DataException;

/** The named video data sets: HMDB51, its subset JHMDB, and UCF101. */
final class VideoSets {
  private static final int SPLITS = 3;
  private static final String HMDB =
      "H. Kuehne et al., \"HMDB: a large video database for human motion recognition\", ICCV 2011";
  private static final String UCF =
      "K. Soomro, A. R. Zamir, M. Shah, \"UCF101: a dataset of 101 human actions classes from"
          + " videos in the wild\", CRCV-TR-12-01, 2012";

  /** Number of training and test clips of each official split of UCF101. */
  private static final int[][] UCF_SIZES = {{9_537, 3_783}, {9_586, 3_734}, {9_624, 3_696}};

  private VideoSets() {}

  static List<DatasetEntry> all() {
    List<DatasetEntry> all = new ArrayList<>();
    all.add(
        new DatasetEntry(
            "jhmdb",
            "videos of actions, 18 to 48 frames",
            21,
            743,
            185,
            "CC BY 4.0",
            "H. Jhuang et al., \"Towards understanding action recognition\", ICCV 2013; " + HMDB,
            List.of(
                new Form(
                    List.of(
                        new DataFile(
                            "jhmdb-clips-mp4.zip",
                            27_450_818,
                            "63cdb198db9376fa5e4b9974fa52f66271a62472afb47dc9cc7e25434ea66929")),
                    List.of(),
                    List.of(new Source.ByHand("clips re-encoded as H.264")),
                    folder ->
                        jhmdb(
                            VideoFolder.open(
                                folder.resolve("jhmdb-clips-mp4.zip"),
                                folder.resolve("unpacked")))),
                unpacked(
                    List.of("brush_hair/", "wave/"),
                    "jhmdb",
                    List.of("ReCompress_Videos"),
                    "the publisher's page: unpack JHMDB_video.zip",
                    folder -> jhmdb(VideoFolder.open(folder, folder))))));
    all.add(hmdb("hmdb51", "videos of actions, seeded split", 5_412, 1_354, VideoSets::hmdb));
    for (int s = 1; s <= SPLITS; s++) {
      int number = s;
      all.add(
          hmdb(
              "hmdb51-split" + s,
              "videos of actions, official split " + s,
              3_570,
              1_530,
              folder -> hmdbSplit(folder, number)));
    }
    for (int s = 1; s <= SPLITS; s++) {
      int number = s;
      all.add(
          new DatasetEntry(
              "ucf101" + (s == 1 ? "" : "-split" + s),
              "videos of actions, official split " + s,
              101,
              UCF_SIZES[s - 1][0],
              UCF_SIZES[s - 1][1],
              "no licence stated; published for research",
              UCF,
              List.of(
                  unpacked(
                      List.of("ApplyEyeMakeup/", "YoYo/"),
                      "ucf101",
                      List.of("UCF-101", "UCF101"),
                      "the publisher's page: unpack UCF101.rar and the archive of splits",
                      folder -> ucf(folder, number)))));
    }
    return all;
  }

  private static DatasetEntry hmdb(
      String name, String items, int pool, int test, DatasetEntry.Reader reader) {
    return new DatasetEntry(
        name,
        items,
        51,
        pool,
        test,
        "CC BY 4.0",
        HMDB,
        List.of(
            unpacked(
                List.of("brush_hair/", "wave/"),
                "hmdb51",
                List.of("hmdb51_org", "videos"),
                "the publisher's page: unpack hmdb51_org.rar and the archives in it",
                reader)));
  }

  /**
   * Returns a form of class folders, in the folder of the data set or those that archives create.
   */
  private static Form unpacked(
      List<String> folders,
      String set,
      List<String> within,
      String source,
      DatasetEntry.Reader reader) {
    List<String> subfolders = new ArrayList<>(within);
    subfolders.add("../" + set);
    within.forEach(folder -> subfolders.add("../" + set + "/" + folder));
    return new Form(
        folders.stream().map(name -> new DataFile(name, DataFile.UNKNOWN, null)).toList(),
        subfolders,
        List.of(new Source.ByHand(source)),
        reader);
  }

  /** Reads JHMDB with a fixed split: the clips listed in the resource are the test items. */
  private static Dataset jhmdb(VideoFolder videos) {
    Clips clips = Clips.of(videos);
    Set<String> listed = resource("jhmdb-test.txt");
    boolean[] test = new boolean[clips.names.size()];
    int found = 0;
    for (int i = 0; i < test.length; i++) {
      test[i] = listed.contains(withoutExtension(clips.names.get(i)));
      found += test[i] ? 1 : 0;
    }
    if (found != listed.size()) {
      throw new DataException(
          "%s: %d of the %d clips of the test list are missing."
              .formatted(videos.folder(), listed.size() - found, listed.size()));
    }
    return VideoFolder.split("jhmdb", clips.classNames, clips.part, test);
  }

  private static String withoutExtension(String name) {
    return name.replaceFirst("\\.[^.]*$", "");
  }

  private static Set<String> resource(String name) {
    try (InputStream in = VideoSets.class.getResourceAsStream(name);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("# ")).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads HMDB51 with our own split: the paper's pool is about 80 % of all clips, but unknown. */
  private static Dataset hmdb(Path folder) {
    return VideoFolder.open(folder, folder).read("hmdb51", Optional.empty());
  }

  /**
   * All clips of class folders.
   *
   * @param indices the index of each file name in the part
   */
  private record Clips(
      List<String> names, List<String> classNames, Part part, Map<String, Integer> indices) {

    static Clips of(VideoFolder videos) {
      List<String> names =
          videos.names().stream().filter(name -> name.split("/").length == 2).toList();
      List<String> classNames = names.stream().map(Clips::className).distinct().sorted().toList();
      Map<String, Integer> indices = new HashMap<>();
      int[] labels = new int[names.size()];
      for (int i = 0; i < labels.length; i++) {
        labels[i] = classNames.indexOf(className(names.get(i)));
        indices.put(names.get(i), i);
      }
      Inputs inputs = videos.inputs(names, ClipOptions.PAPER, ImageFolder.defaultMemory());
      return new Clips(names, classNames, new Part(inputs, labels), indices);
    }

    private static String className(String name) {
      return name.substring(0, name.indexOf('/'));
    }

    Dataset split(String name, int[] pool, int[] test) {
      return new Dataset(
          name, classNames, part.subset(pool), part.subset(test), ImageFolder.PHOTOS);
    }
  }

  /**
   * Reads an official split of HMDB51 from one file per class, such as {@code
   * wave_test_split1.txt}, with 1 (training), 2 (test) or 0 (unused) for each clip.
   */
  private static Dataset hmdbSplit(Path folder, int number) {
    Path lists = listFolder(folder, "testTrainMulti_7030_splits");
    Clips clips = Clips.of(VideoFolder.open(folder, folder));
    Map<Integer, String> part = new LinkedHashMap<>();
    for (String className : clips.classNames) {
      Path file = lists.resolve("%s_test_split%d.txt".formatted(className, number));
      for (Line line : lines(file)) {
        String[] words = line.text.split("\\s+");
        if (words.length != 2 || !words[1].matches("[012]")) {
          throw line.error("expected the name of a clip and 0, 1 or 2, found '" + line.text + "'");
        }
        part.put(line.indexIn(clips, className + "/" + words[0]), words[1]);
      }
    }
    return clips.split("hmdb51-split" + number, indices(part, "1"), indices(part, "2"));
  }

  private static int[] indices(Map<Integer, String> part, String wanted) {
    return part.entrySet().stream()
        .filter(entry -> entry.getValue().equals(wanted))
        .mapToInt(Map.Entry::getKey)
        .sorted()
        .toArray();
  }

  /**
   * Reads an official split of UCF101 from {@code trainlist01.txt}, with the path and class of each
   * clip, and {@code testlist01.txt}.
   */
  private static Dataset ucf(Path folder, int number) {
    Path lists = listFolder(folder, "ucfTrainTestlist");
    Clips clips = Clips.of(VideoFolder.open(folder, folder));
    int[][] parts = new int[2][];
    for (int p = 0; p < 2; p++) {
      Path file = lists.resolve("%slist%02d.txt".formatted(p == 0 ? "train" : "test", number));
      parts[p] =
          lines(file).stream()
              .mapToInt(line -> line.indexIn(clips, line.text.split("\\s+")[0]))
              .sorted()
              .toArray();
    }
    return clips.split("ucf101" + (number == 1 ? "" : "-split" + number), parts[0], parts[1]);
  }

  /** Returns the folder of the lists: next to the class folders, or one level above. */
  private static Path listFolder(Path folder, String name) {
    for (Path at : List.of(folder, folder.resolve("..").normalize())) {
      if (Files.isDirectory(at.resolve(name))) {
        return at.resolve(name);
      }
    }
    throw new DataException(
        "%s: no folder %s with the official splits; unpack the publisher's archive of splits there."
            .formatted(folder, name));
  }

  /** A line of a list. */
  private record Line(Path file, int number, String text) {

    DataException error(String problem) {
      return new DataException("%s, line %d: %s.".formatted(file, number, problem));
    }

    int indexIn(Clips clips, String clip) {
      Integer index = clips.indices.get(clip);
      if (index == null) {
        throw error("the clip " + clip + " does not exist");
      }
      return index;
    }
  }

  private static List<Line> lines(Path file) {
    try {
      List<String> texts = Files.readAllLines(file);
      List<Line> lines = new ArrayList<>();
      for (int i = 0; i < texts.size(); i++) {
        if (!texts.get(i).isBlank()) {
          lines.add(new Line(file, i + 1, texts.get(i).strip()));
        }
      }
      return lines;
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
