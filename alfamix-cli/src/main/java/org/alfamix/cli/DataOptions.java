package org.alfamix.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.command.DataFolder;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.Datasets;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.learn.embed.BackboneDatasetReader;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.TextFeatures;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options for the data of a command. */
final class DataOptions {
  /** Completion candidates of options that take a data set. */
  static final class Names implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      List<DatasetEntry> entries;
      try {
        entries = Datasets.all();
      } catch (InvalidRequestException e) {
        entries = Datasets.builtIn(); // commands that need plug-ins report it
      }
      return entries.stream().map(DatasetEntry::name).toList().iterator();
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private DataFolder folder;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "For tables: the column with the class.")
  private String labelColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description =
          "For tables: the column with a unique name for each row, which is not a feature.")
  private String idColumn;

  @Option(
      names = "--ignore-columns",
      paramLabel = "NAME",
      split = ",",
      showDefaultValue = Help.Visibility.NEVER,
      description = "For tables: columns to ignore, separated by commas.")
  private List<String> ignored = List.of();

  @Option(
      names = "--text-column",
      paramLabel = "NAME",
      description = "For tables: the column with texts, which are the items.")
  private String textColumn;

  @Option(
      names = "--number-columns",
      paramLabel = "NAME",
      split = ",",
      showDefaultValue = Help.Visibility.NEVER,
      description =
          "For tables with texts: columns of numbers that are used as features, too, separated by"
              + " commas.")
  private List<String> numberColumns = List.of();

  @Option(
      names = "--text-pooling",
      paramLabel = "METHOD",
      description =
          "For text encoders: the pooling of the vectors of the tokens: mean, cls (the first token)"
              + " or max (default: as the encoder states).")
  private String textPooling;

  @Option(
      names = "--text-normalize",
      paramLabel = "yes|no",
      description =
          "For text encoders: whether features are scaled to unit length (default: as the encoder"
              + " states).")
  private String textNormalize;

  @Option(
      names = "--text-prefix",
      paramLabel = "TEXT",
      description = "For text encoders: a text before each text, such as 'query: '.")
  private String textPrefix;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description =
          "For text encoders: the number of tokens at which texts are cut (default: as the encoder"
              + " states).")
  private Integer maxTokens;

  @Option(
      names = "--long-texts",
      paramLabel = "METHOD",
      description =
          "For text encoders: cut uses the beginning of longer texts, windows the mean of all parts"
              + " (default: cut).")
  private String longTexts;

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      description =
          "For folders of images or videos: the height and width to which images and frames are"
              + " resized (default: 224).")
  private Integer imageSize;

  @Option(
      names = "--clip-frames",
      paramLabel = "N",
      description =
          "For videos: the number of frames per clip (default: 32; 8 with a --backbone for"
              + " images).")
  private Integer clipFrames;

  @Option(
      names = "--clip-stride",
      paramLabel = "N",
      description =
          "For videos: the distance between the frames of a clip (default: 2; with a --backbone for"
              + " images, frames are evenly spaced over the whole video).")
  private Integer clipStride;

  @Option(
      names = "--frame-pooling",
      paramLabel = "METHOD",
      description =
          "For videos with a --backbone for images: the pooling of the features of the frames:"
              + " mean, max or mean-deviation (default: mean).")
  private String framePooling;

  @Option(
      names = "--source-pattern",
      paramLabel = "REGEX",
      description =
          "For folders of videos: a regular expression for the name of a clip without its"
              + " extension. Its first group is the source video; the clips of a source video are"
              + " either all in the pool or all in the test set (default: the part before the last"
              + " number).")
  private String sourcePattern;

  @Option(
      names = {"--backbone", "--features"},
      paramLabel = "NAME|FILE",
      description =
          "Compute features with a pre-trained network. For images and videos: published weights"
              + " such as resnet50-imagenet (see 'alfamix data list'), a TorchScript .pt file, an"
              + " .onnx file, or NETWORK@WEIGHTS with a .pth or .safetensors file. Features are"
              + " cached in the data folder. TorchScript files are programs; use only files that"
              + " you trust. For texts: minilm (default), a sentence encoder for English; ngrams,"
              + " which need no pre-trained network; or a folder with model.onnx and"
              + " tokenizer.json.")
  private String backbone;

  private Map<String, String> lastOptions = Map.of();

  /** Returns whether a backbone computes features of the items. */
  boolean hasBackbone() {
    return backbone != null;
  }

  /** Returns whether the items are texts, which have features without a backbone. */
  boolean readsTexts(String data) {
    return BackboneDatasetReader.readsTexts(data, reading());
  }

  /** Returns the folder of the data sets. */
  Path folder() {
    return folder.path();
  }

  /** Returns the options for reading your own data, which a checkpoint stores. */
  Map<String, String> reading() {
    Map<String, String> reading = new TreeMap<>();
    put(reading, DatasetReader.LABEL, labelColumn);
    put(reading, DatasetReader.ID, idColumn);
    put(reading, DatasetReader.IGNORED, ignored.isEmpty() ? null : String.join(",", ignored));
    put(reading, DatasetReader.TEXT, textColumn);
    put(
        reading,
        DatasetReader.NUMBERS,
        numberColumns.isEmpty() ? null : String.join(",", numberColumns));
    put(reading, DatasetReader.TEXT_POOLING, textPooling);
    put(reading, DatasetReader.TEXT_NORMALIZE, textNormalize);
    put(reading, DatasetReader.TEXT_PREFIX, textPrefix);
    put(reading, DatasetReader.MAX_TOKENS, maxTokens == null ? null : maxTokens.toString());
    put(reading, DatasetReader.LONG_TEXTS, longTexts);
    put(reading, DatasetReader.SIDE, imageSize == null ? null : imageSize.toString());
    put(reading, DatasetReader.FRAMES, clipFrames == null ? null : clipFrames.toString());
    put(reading, DatasetReader.STRIDE, clipStride == null ? null : clipStride.toString());
    put(reading, DatasetReader.FRAME_POOLING, framePooling);
    put(reading, DatasetReader.SOURCES, sourcePattern);
    put(reading, DatasetReader.BACKBONE, backbone == null ? null : absolute(backbone));
    return reading;
  }

  /** Returns the name of a backbone that does not depend on the working directory. */
  private static String absolute(String backbone) {
    BackboneName name = BackboneName.parse(backbone);
    // A folder may have the name of published weights, for example one of earlier features.
    return name.published().isEmpty() && Files.isDirectory(Path.of(backbone))
        ? TextFeatures.withAbsolutePath(backbone)
        : name.withAbsolutePath().toString();
  }

  private static void put(Map<String, String> map, String name, String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  /**
   * Returns the permanent name of a data set, which a checkpoint stores: its name or its absolute
   * path.
   */
  static String permanentName(String data) {
    return Datasets.named(data).isPresent()
        ? data
        : DatasetReader.path(data).toAbsolutePath().normalize().toString();
  }

  /** Reads a data set with the options that a checkpoint stored; given options override them. */
  Dataset readAgain(String data, Map<String, String> stored, String device) {
    Map<String, String> all = new TreeMap<>(stored);
    all.putAll(reading());
    return read(data, all, device);
  }

  /** Reads a data set by its name, downloading it if necessary, or from a path. */
  Dataset read(String data, String device) {
    return read(data, reading(), device);
  }

  /** Returns the options of the last reading, for a checkpoint. */
  Map<String, String> lastReading(String data, String device) {
    return reader(device).withBackboneHash(data, lastOptions);
  }

  private Dataset read(String data, Map<String, String> options, String device) {
    lastOptions = options;
    return reader(device).read(data, options);
  }

  /** Returns a reader that computes features on a device. */
  BackboneDatasetReader reader(String device) {
    return new BackboneDatasetReader(
        folder(), new ReadingProgress(spec.commandLine().getErr()), device);
  }
}
