package org.alfamix.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.command.DataFolder;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.Datasets;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.DataReader;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options that say what to learn from, for every command that does. */
final class DataOptions {
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(Datasets.all().stream().map(DatasetEntry::name).toList());
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private DataFolder folder;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "In a table of your own: the column with the class.")
  private String labelColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description = "In a table of your own: the column that names a row, not learnt from.")
  private String idColumn;

  @Option(
      names = "--ignore-columns",
      paramLabel = "NAME",
      split = ",",
      description = "In a table of your own: columns to leave out.")
  private List<String> ignored = List.of();

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      description =
          "Images in folders and frames of videos are resized to this height and width (default:"
              + " 224).")
  private Integer imageSize;

  @Option(
      names = "--clip-frames",
      paramLabel = "N",
      description =
          "Frames of a video that a network sees (default: 32; 8 with a --backbone for images).")
  private Integer clipFrames;

  @Option(
      names = "--clip-stride",
      paramLabel = "N",
      description =
          "Distance of these frames (default: 2; evenly spaced over the whole video with a"
              + " --backbone for images).")
  private Integer clipStride;

  @Option(
      names = "--frame-pooling",
      paramLabel = "HOW",
      description =
          "With a --backbone for images: how features of frames become those of a video, mean, max"
              + " or mean-deviation (default: mean).")
  private String framePooling;

  @Option(
      names = "--source-pattern",
      paramLabel = "REGEX",
      description =
          "In a folder of videos of your own: matches the name of a clip without its ending; its"
              + " first group is the source video, whose clips are all in the pool or all test"
              + " items (default: what precedes the last number).")
  private String sourcePattern;

  @Option(
      names = "--backbone",
      paramLabel = "NAME|FILE",
      description =
          "Turn images or videos into features first: published weights as resnet50-imagenet (see"
              + " 'alfamix data list'), a TorchScript .pt or an .onnx file, or NETWORK@WEIGHTS with"
              + " a .pth or .safetensors file. Features are kept beside the data sets. TorchScript"
              + " files are programs: use only those you trust.")
  private String backbone;

  private Map<String, String> last = Map.of();

  /** Whether what is read becomes features. */
  boolean hasBackbone() {
    return backbone != null;
  }

  /** Where data sets are kept. */
  Path folder() {
    return folder.path();
  }

  /** How data of one's own are read, for a checkpoint to remember. */
  Map<String, String> reading() {
    Map<String, String> reading = new TreeMap<>();
    put(reading, DatasetReader.LABEL, labelColumn);
    put(reading, DatasetReader.ID, idColumn);
    put(reading, DatasetReader.IGNORED, ignored.isEmpty() ? null : String.join(",", ignored));
    put(reading, DatasetReader.SIDE, imageSize == null ? null : imageSize.toString());
    put(reading, DatasetReader.FRAMES, clipFrames == null ? null : clipFrames.toString());
    put(reading, DatasetReader.STRIDE, clipStride == null ? null : clipStride.toString());
    put(reading, DatasetReader.FRAME_POOLING, framePooling);
    put(reading, DatasetReader.SOURCES, sourcePattern);
    put(
        reading,
        DatasetReader.BACKBONE,
        backbone == null ? null : BackboneName.parse(backbone).lasting().toString());
    return reading;
  }

  private static void put(Map<String, String> map, String name, String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  /** What a checkpoint should call a data set by: its name, or where it is for good. */
  static String lasting(String data) {
    return Datasets.named(data).isPresent()
        ? data
        : DatasetReader.path(data).toAbsolutePath().normalize().toString();
  }

  /** Reads a set as it was read for a model: what was said then need not be said again. */
  Dataset readAgain(String data, Map<String, String> used, String device) {
    Map<String, String> all = new TreeMap<>(used);
    all.putAll(reading());
    return read(data, all, device);
  }

  /** Reads a set by its name, which may be fetched first, or from a path. */
  Dataset read(String data, String device) {
    return read(data, reading(), device);
  }

  /** How data were read last, for a checkpoint to remember. */
  Map<String, String> lastReading(String device) {
    return reader(device).remembered(last);
  }

  private Dataset read(String data, Map<String, String> how, String device) {
    last = how;
    return reader(device).read(data, how);
  }

  /**
   * @param device where features are computed
   */
  DataReader reader(String device) {
    return new DataReader(folder(), new ReadingProgress(spec.commandLine().getErr()), device);
  }
}
