package org.alfamix.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EmbedderEngine;
import org.alfamix.learn.embed.EmbedderSpec;
import org.alfamix.math.FloatMatrix;

/** Computes features with networks in ONNX files: one input of images; the first output is used. */
public final class OnnxEmbedders implements EmbedderEngine {

  @Override
  public boolean supports(EmbedderSpec spec) {
    return spec.weights().toString().endsWith(".onnx");
  }

  @Override
  public Embedder open(EmbedderSpec spec) {
    if (spec.network().isPresent()) {
      throw new DataException(
          "%s is an ONNX file, which contains its own network definition; omit '%s@'."
              .formatted(spec.weights(), spec.network().get()));
    }
    try {
      return new OnnxEmbedder(spec);
    } catch (OrtException e) {
      throw new DataException(
          "%s: cannot be read as ONNX: %s.".formatted(spec.weights(), OnnxErrors.reason(e)), e);
    }
  }

  /**
   * Embeds items in one pass. Each thread reads and computes separate blocks, so that decoding and
   * computation overlap and the results do not depend on the number of threads.
   */
  private static final class OnnxEmbedder implements Embedder {
    /** Batch size, unless the file has a fixed one. */
    private static final int BLOCK = 8;

    private static final int IMAGE_DIMENSIONS = 4;

    private final EmbedderSpec spec;
    private final OrtSession session;
    private final String input;
    private final int block;
    private final int width;

    OnnxEmbedder(EmbedderSpec spec) throws OrtException {
      this.spec = spec;
      try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
        options.setIntraOpNumThreads(1);
        options.setInterOpNumThreads(1);
        this.session =
            OrtEnvironment.getEnvironment().createSession(spec.weights().toString(), options);
      }
      try {
        NodeInfo node = input();
        this.input = node.getName();
        long items = checkCompatible((TensorInfo) node.getInfo());
        this.block = items > 0 ? Math.toIntExact(items) : BLOCK;
        // One item if possible: otherwise rows of items and of features cannot be distinguished.
        int count = items > 0 ? block : 1;
        this.width = features(new float[count * spec.input().length()], count)[0].length;
      } catch (RuntimeException e) {
        session.close();
        throw e;
      }
    }

    private NodeInfo input() throws OrtException {
      List<NodeInfo> inputs = List.copyOf(session.getInputInfo().values());
      if (inputs.size() != 1 || !(inputs.get(0).getInfo() instanceof TensorInfo)) {
        throw new DataException(
            "%s: %d inputs, expected a single tensor of images."
                .formatted(spec.weights(), inputs.size()));
      }
      return inputs.get(0);
    }

    /** Returns the fixed batch size; 0 or less if any is supported. */
    private long checkCompatible(TensorInfo info) {
      long[] shape = info.getShape();
      InputShape own = spec.input();
      long[] expected = {0, own.channels(), own.height(), own.width()};
      boolean fits = shape.length == IMAGE_DIMENSIONS;
      for (int d = 1; fits && d < IMAGE_DIMENSIONS; d++) {
        fits = shape[d] <= 0 || shape[d] == expected[d];
      }
      if (!fits) {
        throw new DataException(
                "%s expects inputs of shape %s, but images have %s (items, channels, height, width)."
                    .formatted(spec.weights(), format(shape), format(expected)))
            .advise("set height and width", "imageSize");
      }
      return shape[0];
    }

    private static String format(long[] shape) {
      return String.join(
          " x ", Arrays.stream(shape).mapToObj(n -> n <= 0 ? "any" : "" + n).toList());
    }

    /** Computes the features of some items, one row each; flattens outputs of more dimensions. */
    private float[][] features(float[] pixels, int items) {
      InputShape own = spec.input();
      long[] shape = {items, own.channels(), own.height(), own.width()};
      try (OnnxTensor tensor =
              OnnxTensor.createTensor(
                  OrtEnvironment.getEnvironment(), FloatBuffer.wrap(pixels), shape);
          OrtSession.Result result = session.run(Map.of(input, tensor))) {
        OnnxTensor output = result.get(0) instanceof OnnxTensor tensorOut ? tensorOut : null;
        FloatBuffer values = output == null ? null : floats(output);
        if (values == null) {
          throw new DataException(
              spec.weights() + ": its first output is not a tensor of real numbers.");
        }
        if (output.getInfo().getShape().length < 2 || output.getInfo().getShape()[0] != items) {
          throw new DataException(
              "%s: %d items gave an output of shape %s, expected one row per item."
                  .formatted(spec.weights(), items, format(output.getInfo().getShape())));
        }
        float[][] rows = new float[items][values.remaining() / items];
        for (float[] row : rows) {
          values.get(row);
        }
        return rows;
      } catch (OrtException e) {
        throw new DataException(
            "%s: cannot be run on %s: %s.".formatted(spec.weights(), own, OnnxErrors.reason(e)), e);
      }
    }

    /** Returns the values as floats; null if they are not numbers. */
    private static FloatBuffer floats(OnnxTensor tensor) {
      if (tensor.getInfo().type == OnnxJavaType.DOUBLE) {
        DoubleBuffer doubles = tensor.getDoubleBuffer();
        FloatBuffer floats = FloatBuffer.allocate(doubles.remaining());
        while (doubles.hasRemaining()) {
          floats.put((float) doubles.get());
        }
        return floats.flip();
      }
      if (tensor.getInfo().type == OnnxJavaType.INT64) {
        LongBuffer longs = tensor.getLongBuffer();
        FloatBuffer floats = FloatBuffer.allocate(longs.remaining());
        while (longs.hasRemaining()) {
          floats.put(longs.get());
        }
        return floats.flip();
      }
      return tensor.getFloatBuffer();
    }

    @Override
    public String name() {
      return spec.name();
    }

    @Override
    public int features() {
      return width;
    }

    @Override
    public String digest() {
      return spec.digest();
    }

    @Override
    public FloatMatrix embed(Inputs inputs, IntConsumer progress) {
      FloatMatrix features = FloatMatrix.zeros(inputs.size(), width);
      AtomicInteger next = new AtomicInteger();
      AtomicInteger done = new AtomicInteger();
      ExecutorService workers = Executors.newFixedThreadPool(spec.threads());
      try {
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < spec.threads(); t++) {
          running.add(workers.submit(() -> work(inputs, next, done, features, progress)));
        }
        for (Future<?> each : running) {
          each.get();
        }
        return features;
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException known
            ? known
            : new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted.", e);
      } finally {
        next.set(inputs.size());
        workers.shutdown();
        awaitTermination(workers);
      }
    }

    /** Waits for all workers, because the caller may close the session after a failure. */
    private static void awaitTermination(ExecutorService workers) {
      boolean interrupted = false;
      while (!workers.isTerminated()) {
        try {
          workers.awaitTermination(1, TimeUnit.DAYS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void work(
        Inputs inputs,
        AtomicInteger next,
        AtomicInteger done,
        FloatMatrix features,
        IntConsumer progress) {
      int length = spec.input().length();
      float[] pixels = new float[block * length];
      for (int from = next.getAndAdd(block); from < inputs.size(); from = next.getAndAdd(block)) {
        int to = Math.min(inputs.size(), from + block);
        for (int i = from; i < to; i++) {
          int at = (i - from) * length;
          inputs.read(i, pixels, at);
          spec.scaling().apply(pixels, at, spec.input());
        }
        // The batch size may be fixed, so the last block keeps old items at its end.
        float[][] rows = features(pixels, block);
        for (int i = from; i < to; i++) {
          System.arraycopy(rows[i - from], 0, features.array(), features.rowOffset(i), width);
        }
        progress.accept(done.addAndGet(to - from));
      }
    }

    @Override
    public void close() {
      try {
        session.close();
      } catch (OrtException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
