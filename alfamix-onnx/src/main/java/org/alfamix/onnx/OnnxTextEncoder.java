package org.alfamix.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.EncoderOptions.LongTexts;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * Encodes texts one by one, on all threads. Batches would save little time, and quantized models
 * scale their activations by the whole batch, so that the features of a text would depend on the
 * other texts.
 */
final class OnnxTextEncoder implements Embedder {
  private static final int BLOCK = 4;

  /**
   * These fused operations round differently in each version of ONNX Runtime. Quantized models
   * round again after each layer, so that the features of a text would differ by a cosine distance
   * of up to 0.01. Without them, versions 1.23, 1.29 and 1.30 give equal features.
   */
  private static final String UNSTABLE_FUSIONS =
      "LayerNormFusionL1;LayerNormFusionL2;SimplifiedLayerNormFusion";

  /** The largest number of windows of a long text. */
  private static final int MAX_WINDOWS = 64;

  private static final String IDS = "input_ids";
  private static final String MASK = "attention_mask";
  private static final String TYPES = "token_type_ids";
  private static final Set<String> INPUTS = Set.of(IDS, MASK, TYPES);

  /** An output that is pooled already. */
  private static final String SENTENCE = "sentence_embedding";

  private static final int TOKEN_DIMENSIONS = 3;

  private final String name;
  private final EncoderFiles files;
  private final EncoderOptions options;
  private final TextTokenizer tokenizer;
  private final OrtSession session;
  private final Map<String, NodeInfo> inputs;
  private final String output;
  private final int width;
  private final AtomicInteger texts = new AtomicInteger();
  private final AtomicInteger longTexts = new AtomicInteger();
  private final AtomicInteger tooLongTexts = new AtomicInteger();

  OnnxTextEncoder(String name, EncoderFiles files, EncoderOptions options, TextTokenizer tokenizer)
      throws OrtException {
    this.name = name;
    this.files = files;
    this.options = options;
    this.tokenizer = tokenizer;
    try (OrtSession.SessionOptions settings = new OrtSession.SessionOptions()) {
      settings.setIntraOpNumThreads(1);
      settings.setInterOpNumThreads(1);
      settings.addConfigEntry("optimization.disable_specified_optimizers", UNSTABLE_FUSIONS);
      OrtEnvironment environment = OrtEnvironment.getEnvironment();
      this.session =
          files.model().isPresent()
              ? environment.createSession(files.model().get(), settings)
              : environment.createSession(files.modelPath().orElseThrow().toString(), settings);
    }
    try {
      this.inputs = session.getInputInfo();
      requireKnownInputs();
      this.output = output();
      this.width = encode("a").length;
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void requireKnownInputs() {
    if (!inputs.containsKey(IDS) || !INPUTS.containsAll(inputs.keySet())) {
      throw new DataException(
          "%s: found the inputs %s, expected those of a text encoder: %s, %s and optionally %s."
              .formatted(files.modelName(), String.join(", ", inputs.keySet()), IDS, MASK, TYPES));
    }
  }

  /** Returns the output with the features: pooled if pooling is that of the model. */
  private String output() throws OrtException {
    Map<String, NodeInfo> outputs = session.getOutputInfo();
    for (NodeInfo node : outputs.values()) {
      boolean tokens =
          node.getInfo() instanceof TensorInfo tensor
              && tensor.getShape().length == TOKEN_DIMENSIONS;
      if (tokens) {
        return node.getName();
      }
    }
    if (outputs.containsKey(SENTENCE)) {
      return SENTENCE;
    }
    throw new DataException(
        "%s: found the outputs %s, expected one of shape (texts, tokens, features)."
            .formatted(files.modelName(), String.join(", ", outputs.keySet())));
  }

  /** Returns the features of a text. */
  private float[] encode(String text) {
    int maxTokens = options.maxTokens().orElseThrow();
    boolean windows = options.longTexts() == LongTexts.WINDOWS;
    int required = (windows ? MAX_WINDOWS : 1) * maxTokens;
    TextTokenizer.Tokens tokens =
        tokenizer.firstTokens(options.prefix().orElseThrow() + text, required);
    int room = Math.max(1, maxTokens - tokens.before().length - tokens.after().length);
    int length = tokens.body().length;
    texts.incrementAndGet();
    if (length > room) {
      longTexts.incrementAndGet();
    }
    if (length > MAX_WINDOWS * room) {
      tooLongTexts.incrementAndGet();
    }
    if (length <= room || !windows) {
      return normalized(features(tokens.window(0, Math.min(length, room))));
    }
    float[] sum = null;
    for (int from = 0; from < Math.min(length, MAX_WINDOWS * room); from += room) {
      int to = Math.min(length, from + room);
      float[] part = normalized(features(tokens.window(from, to)));
      sum = sum == null ? new float[part.length] : sum;
      for (int d = 0; d < part.length; d++) {
        sum[d] += part[d] * (to - from) / length;
      }
    }
    return normalized(sum);
  }

  private float[] normalized(float[] features) {
    if (options.normalize().orElseThrow()) {
      double squares = 0;
      for (float value : features) {
        squares += (double) value * value;
      }
      double length = Math.sqrt(squares);
      for (int d = 0; d < features.length && length > 0; d++) {
        features[d] = (float) (features[d] / length);
      }
    }
    return features;
  }

  /** Runs the model on the tokens of one text, and pools its output. */
  private float[] features(long[] ids) {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    try {
      for (Map.Entry<String, NodeInfo> input : inputs.entrySet()) {
        tensors.put(input.getKey(), tensor(input.getValue(), values(input.getKey(), ids)));
      }
      try (OrtSession.Result result = session.run(tensors, Set.of(output))) {
        OnnxValue value = result.get(0);
        FloatBuffer floats = value instanceof OnnxTensor tensor ? tensor.getFloatBuffer() : null;
        if (floats == null) {
          throw new DataException(
              "%s: its output %s is not a tensor of real numbers."
                  .formatted(files.modelName(), output));
        }
        int rows = output.equals(SENTENCE) ? 1 : ids.length;
        return pool(floats, rows, floats.remaining() / rows);
      }
    } catch (OrtException e) {
      throw new DataException(
          "%s: cannot be run on %,d tokens: %s."
              .formatted(files.modelName(), ids.length, OnnxErrors.reason(e)),
          e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }

  private static long[] values(String input, long[] ids) {
    if (input.equals(IDS)) {
      return ids;
    }
    long[] values = new long[ids.length];
    Arrays.fill(values, input.equals(MASK) ? 1 : 0);
    return values;
  }

  private static OnnxTensor tensor(NodeInfo input, long[] values) throws OrtException {
    long[] shape = {1, values.length};
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    boolean small = input.getInfo() instanceof TensorInfo info && info.type == OnnxJavaType.INT32;
    if (small) {
      int[] ints = Arrays.stream(values).mapToInt(value -> (int) value).toArray();
      return OnnxTensor.createTensor(environment, IntBuffer.wrap(ints), shape);
    }
    return OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape);
  }

  private float[] pool(FloatBuffer values, int rows, int columns) {
    float[] pooled = new float[columns];
    float[] row = new float[columns];
    EncoderOptions.Pooling pooling = options.pooling().orElseThrow();
    int used = pooling == EncoderOptions.Pooling.CLS ? 1 : rows;
    for (int r = 0; r < used; r++) {
      values.get(row);
      for (int d = 0; d < columns; d++) {
        pooled[d] =
            pooling == EncoderOptions.Pooling.MAX && r > 0
                ? Math.max(pooled[d], row[d])
                : pooled[d] + row[d];
      }
    }
    if (pooling == EncoderOptions.Pooling.MEAN) {
      for (int d = 0; d < columns; d++) {
        pooled[d] /= rows;
      }
    }
    return pooled;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int features() {
    return width;
  }

  @Override
  public String digest() {
    return String.join(
        "\n",
        UNSTABLE_FUSIONS,
        files.digest(),
        options.pooling().orElseThrow().toString(),
        options.normalize().orElseThrow().toString(),
        options.prefix().orElseThrow(),
        String.valueOf(options.maxTokens().orElseThrow()),
        options.longTexts().toString());
  }

  @Override
  public FloatMatrix embed(Inputs inputs, IntConsumer progress) {
    FloatMatrix features = FloatMatrix.zeros(inputs.size(), width);
    AtomicInteger done = new AtomicInteger();
    Parallel.forBlocks(
        inputs.size(),
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            float[] row = encode(inputs.text(i));
            System.arraycopy(row, 0, features.array(), features.rowOffset(i), width);
          }
          progress.accept(done.addAndGet(to - from));
        });
    return features;
  }

  @Override
  public List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    int maxTokens = options.maxTokens().orElseThrow();
    int all = texts.get() - 1; // besides the text that was encoded for the number of features
    if (longTexts.get() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              options.longTexts() == LongTexts.CUT
                  ? "%,d of %,d texts have more than %,d tokens; only the first %3$,d are used."
                  : "%,d of %,d texts have more than %,d tokens; the features of their parts are"
                      + " averaged.",
              longTexts.get(),
              all,
              maxTokens));
    }
    if (options.longTexts() == LongTexts.WINDOWS && tooLongTexts.get() > 0) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "%,d of %,d texts have more than %d parts of %,d tokens; only the first %3$d parts"
                  + " are used.",
              tooLongTexts.get(),
              all,
              MAX_WINDOWS,
              maxTokens));
    }
    return remarks;
  }

  @Override
  public void close() {
    tokenizer.close();
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException(e);
    }
  }
}
