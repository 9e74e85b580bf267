package org.alfamix.torch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.error.InvalidDataException;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.array.NumericArray;
import org.alfamix.io.array.Safetensors;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.LearnerEngine.Loaded;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.learn.Tuning;

/**
 * A model on disk: weights in {@code NAME.safetensors}, and the description of the network and the
 * record of its training in {@code NAME.json} next to it.
 */
final class Checkpoint {
  static final String EXTENSION = ".safetensors";
  private static final String FORMAT = "alfamix-checkpoint";
  private static final int VERSION = 1;

  private Checkpoint() {}

  /** Returns the file that describes a file of weights. */
  static Path descriptionFile(Path file) {
    String name = file.getFileName().toString();
    if (!name.endsWith(EXTENSION)) {
      throw new InvalidRequestException(file + ": expected a name ending in " + EXTENSION + ".");
    }
    return file.resolveSibling(name.substring(0, name.length() - EXTENSION.length()) + ".json");
  }

  /** Checks that saving will succeed and will not overwrite files of other programs. */
  static void requireWritable(Path file) {
    Path description = descriptionFile(file);
    AtomicFile.requireWritable(file);
    AtomicFile.requireWritable(description);
    if (Files.exists(description) && !isDescription(description)) {
      throw new DataException(
          "%s is not the description of a model and would be overwritten. Choose another name."
              .formatted(description));
    }
  }

  private static boolean isDescription(Path description) {
    try {
      return JsonTree.read(description).get("format").text().equals(FORMAT);
    } catch (DataException e) {
      return false;
    }
  }

  static void write(Path file, TorchLearner learner, TrainingRecord training) {
    Path description = descriptionFile(file);
    Parameters parameters = learner.classifier().parameters();
    Map<String, float[]> values = parameters.values();
    // Both files are written under temporary names and moved together; the second has the checksum
    // of the first.
    MessageDigest digest = Digest.newSha256();
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    files.put(
        file.getFileName().toString(),
        out -> {
          DigestOutputStream digested = new DigestOutputStream(out, digest);
          Safetensors.write(digested, parameters.shapes(), values::get);
          digested.flush();
        });
    files.put(
        description.getFileName().toString(),
        out -> describe(out, learner, training, HexFormat.of().formatHex(digest.digest())));
    AtomicFile.writeAll(file.toAbsolutePath().getParent(), files);
  }

  private static void describe(
      OutputStream out, TorchLearner learner, TrainingRecord training, String digest)
      throws IOException {
    LearnerSpec spec = learner.spec();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (JsonGenerator json =
        new JsonFactory().createGenerator(text).setPrettyPrinter(new DefaultPrettyPrinter())) {
      json.writeStartObject();
      json.writeStringField("format", FORMAT);
      json.writeNumberField("version", VERSION);
      json.writeStringField("weights", digest);
      json.writeStringField("network", spec.network());
      json.writeObjectFieldStart("input");
      json.writeBooleanField("image", spec.input().isImage());
      json.writeNumberField("channels", spec.input().channels());
      if (spec.input().isVideo()) {
        json.writeNumberField("frames", spec.input().frames());
      }
      json.writeNumberField("height", spec.input().height());
      json.writeNumberField("width", spec.input().width());
      json.writeEndObject();
      json.writeObjectFieldStart("scaling");
      writeFloats(json, "shift", spec.scaling().shift());
      writeFloats(json, "scale", spec.scaling().scale());
      json.writeEndObject();
      json.writeArrayFieldStart("classes");
      for (String name : spec.classNames()) {
        json.writeString(name);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("training");
      TrainingOptions options = spec.training();
      json.writeNumberField("rate", options.rate());
      json.writeNumberField("batch", options.batch());
      boolean allEpochs = options.goal() == TrainingOptions.NO_GOAL;
      json.writeNumberField("goal", allEpochs ? 1 : options.goal());
      json.writeBooleanField("allEpochs", allEpochs);
      json.writeNumberField("epochs", options.epochs());
      json.writeNumberField("dropout", options.dropout());
      json.writeBooleanField("continue", options.warmStart());
      json.writeStringField("augment", options.augmentation().toString());
      write(json, options.optimization());
      json.writeStringField("tuning", spec.pretraining().tuning().toString());
      json.writeEndObject();
      // As text, because numbers in JSON have only 53 bits.
      json.writeStringField("seed", Long.toString(spec.seed()));
      json.writeNumberField("threads", spec.threads());
      json.writeNumberField("fits", learner.fits());
      json.writeObjectFieldStart("learnt");
      json.writeStringField("data", training.data());
      json.writeObjectFieldStart("reading");
      for (Map.Entry<String, String> option : new TreeMap<>(training.reading()).entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
      json.writeStringField("pool", training.fingerprint());
      json.writeNumberField("epochs", training.epochs());
      json.writeStringField("testAccuracy", Double.toString(training.testAccuracy()));
      json.writeFieldName("items");
      json.writeArray(training.items(), 0, training.items().length);
      json.writeFieldName("labels");
      json.writeArray(training.labels(), 0, training.labels().length);
      json.writeEndObject();
      json.writeEndObject();
      json.writeRaw('\n');
    }
    text.writeTo(out);
  }

  private static void write(JsonGenerator json, Optimization optimization) throws IOException {
    json.writeStringField("optimizer", optimization.method().toString());
    json.writeNumberField("weightDecay", optimization.weightDecay());
    json.writeNumberField("warmUpEpochs", optimization.warmUpEpochs());
    if (optimization.finalRate().isPresent()) {
      json.writeNumberField("finalRate", optimization.finalRate().get());
    }
  }

  /** Reads the optimizer. Older checkpoints do not name it: it was Adam. */
  private static Optimization optimization(JsonTree training) {
    // Checkpoints of earlier versions have the key "optimiser".
    String key = training.has("optimizer") ? "optimizer" : "optimiser";
    return training.has(key)
        ? new Optimization(
            Optimization.Method.parse(training.get(key).text()),
            training.get("weightDecay").number(),
            training.get("warmUpEpochs").integer(),
            training.has("finalRate")
                ? Optional.of(training.get("finalRate").number())
                : Optional.empty())
        : Optimization.ADAM;
  }

  private static double goal(JsonTree training) {
    return training.has("allEpochs") && training.get("allEpochs").flag()
        ? TrainingOptions.NO_GOAL
        : training.get("goal").number();
  }

  private static InputShape shape(JsonTree input) {
    int channels = input.get("channels").integer();
    int height = input.get("height").integer();
    int width = input.get("width").integer();
    if (input.has("frames")) {
      return new InputShape(
          InputShape.Kind.VIDEO, channels, input.get("frames").integer(), height, width);
    }
    return new InputShape(
        input.get("image").flag() ? InputShape.Kind.IMAGE : InputShape.Kind.TABLE,
        channels,
        1,
        height,
        width);
  }

  private static void writeFloats(JsonGenerator json, String name, float[] values)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (float value : values) {
      json.writeNumber(value);
    }
    json.writeEndArray();
  }

  static Loaded read(
      Path file, int threads, String device, UnaryOperator<TrainingOptions> training) {
    Path path = descriptionFile(file);
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    if (!Files.exists(path)) {
      throw new DataException(
          "%s: its description %s is missing.".formatted(file, path.getFileName()));
    }
    JsonTree json = JsonTree.read(path);
    if (!json.get("format").text().equals(FORMAT) || json.get("version").integer() != VERSION) {
      throw new DataException(
          "%s: expected the format %s, version %d.".formatted(path, FORMAT, VERSION));
    }
    if (!json.get("weights").text().equals(Digest.of(file).sha256())) {
      throw new DataException(
          "%s does not describe the weights in %s: the checksums differ."
              .formatted(path, file.getFileName()));
    }
    LearnerSpec spec;
    TrainingRecord trainingRecord;
    try {
      spec = spec(json, threads, device);
      trainingRecord = trainingRecord(json.get("learnt"));
      requireClasses(trainingRecord, spec.classes());
    } catch (InvalidRequestException | InvalidDataException e) {
      throw new DataException(path + ": " + e.getMessage(), e);
    }
    TorchLearner learner;
    try {
      learner = new TorchLearner(spec.withTraining(training.apply(spec.training())));
    } catch (DataException | InvalidRequestException e) {
      throw new DataException(path + ": " + e.getMessage(), e);
    }
    try {
      load(file, learner.classifier().parameters());
      learner.skipFits(json.get("fits").integer());
    } catch (RuntimeException e) {
      learner.close();
      throw e;
    }
    return new Loaded(learner, trainingRecord);
  }

  private static LearnerSpec spec(JsonTree json, int threads, String device) {
    JsonTree input = json.get("input");
    JsonTree training = json.get("training");
    return new LearnerSpec(
        json.get("network").text(),
        shape(input),
        new Scaling(
            floats(json.get("scaling").get("shift")), floats(json.get("scaling").get("scale"))),
        json.get("classes").list().stream().map(JsonTree::text).toList(),
        new TrainingOptions(
            training.get("rate").number(),
            training.get("batch").integer(),
            goal(training),
            training.get("epochs").integer(),
            training.get("dropout").number(),
            training.get("continue").flag(),
            training.has("augment")
                ? Augmentation.parse(training.get("augment").text())
                : Augmentation.NONE,
            optimization(training)),
        new Pretraining(
            Optional.empty(),
            training.has("tuning") ? Tuning.parse(training.get("tuning").text()) : Tuning.ALL),
        json.get("seed").longInteger(),
        threads,
        device);
  }

  private static TrainingRecord trainingRecord(JsonTree json) {
    return new TrainingRecord(
        json.get("data").text(),
        json.get("reading").texts(),
        json.get("pool").text(),
        json.get("items").integers(),
        json.get("labels").integers(),
        json.get("epochs").integer(),
        json.get("testAccuracy").numberInText());
  }

  private static void requireClasses(TrainingRecord training, int classes) {
    for (int i = 0; i < training.items().length; i++) {
      if (training.items()[i] < 0 || training.labels()[i] < 0 || training.labels()[i] >= classes) {
        throw new InvalidDataException(
            "item %d is labelled %d, expected an item of at least 0 and a class from 0 to %d."
                .formatted(training.items()[i], training.labels()[i], classes - 1));
      }
    }
  }

  private static float[] floats(JsonTree list) {
    List<JsonTree> elements = list.list();
    float[] result = new float[elements.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) elements.get(i).number();
    }
    return result;
  }

  /** Reads all tensors of a network; other tensors in the file are ignored. */
  static void load(Path file, Parameters parameters) {
    Safetensors tensors = Safetensors.open(file);
    for (Map.Entry<String, long[]> entry : parameters.shapes().entrySet()) {
      String name = entry.getKey();
      NumericArray array = tensors.array(name);
      if (!Arrays.equals(array.shape(), entry.getValue())) {
        throw new DataException(
            "%s: shape %s, expected %s."
                .formatted(
                    array.name(),
                    Arrays.toString(array.shape()),
                    Arrays.toString(entry.getValue())));
      }
      parameters.set(name, array.readFloats());
    }
    try {
      parameters.requireFinite();
    } catch (DataException e) {
      throw new DataException(file + ": " + e.getMessage(), e);
    }
  }
}
