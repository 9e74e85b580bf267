package org.alfamix.torch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.zip.ZipFile;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EmbedderEngine;
import org.alfamix.learn.embed.EmbedderSpec;
import org.alfamix.math.FloatMatrix;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Computes features on libtorch: with known networks and weights from a file, or with TorchScript.
 */
public final class TorchEmbedders implements EmbedderEngine {

  @Override
  public boolean supports(EmbedderSpec spec) {
    return !spec.weights().toString().endsWith(".onnx");
  }

  @Override
  public Embedder open(EmbedderSpec spec) {
    boolean script = isTorchScript(spec.weights());
    if (script && spec.network().isPresent()) {
      throw new DataException(
          "%s is a TorchScript file, which contains its network; omit '%s@'."
              .formatted(spec.weights(), spec.network().get()));
    }
    if (script) {
      return script(spec);
    }
    if (spec.network().isEmpty()) {
      ArrayBundle.open(spec.weights()); // reports an invalid file
    }
    String network =
        spec.network()
            .orElseThrow(
                () ->
                    new DataException(
                        "%s contains weights only; specify the network as NETWORK@%s, such as"
                                .formatted(spec.weights(), spec.weights())
                            + " resnet18@"
                            + spec.weights().getFileName()
                            + "."));
    return network(spec, Architectures.named(network));
  }

  /**
   * Returns whether a .pt or .pth file is TorchScript: other such zip files do not contain code.
   */
  private static boolean isTorchScript(Path file) {
    if (!Files.isRegularFile(file) || file.toString().endsWith(".safetensors")) {
      return false;
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().anyMatch(entry -> entry.getName().matches("[^/]+/code/.*"));
    } catch (IOException e) {
      return false; // reported when the file is read
    }
  }

  private static Embedder network(EmbedderSpec spec, Architecture architecture) {
    Device device = Torch.device(spec.device());
    Parameters parameters = Parameters.zeros(device);
    try {
      Backbone backbone = architecture.build(parameters, spec.input());
      Weights.load(spec.weights(), architecture, parameters, false);
      return new TorchEmbedder(
          spec,
          device,
          batch -> backbone.embed(batch, false),
          List.of(parameters::close, device::close));
    } catch (RuntimeException e) {
      parameters.close();
      device.close();
      throw e;
    }
  }

  /**
   * Opens a TorchScript file. TorchScript is a program that libtorch runs, and it can read and
   * write files of this machine ({@code aten::from_file}): only open files from trusted sources.
   */
  private static Embedder script(EmbedderSpec spec) {
    Device device = Torch.device(spec.device());
    JitModule module;
    try (PointerScope scope = new PointerScope()) {
      module = torch.load(spec.weights().toString()).retainReference();
      module.to(device, false);
      module.eval();
    } catch (RuntimeException e) {
      device.close();
      throw new DataException(
          "%s: cannot be read as TorchScript: %s.".formatted(spec.weights(), errorLine(e)), e);
    }
    Function<Tensor, Tensor> forward =
        batch -> {
          IValue result;
          try {
            result = module.forward(new IValueVector(new IValue(batch)));
          } catch (RuntimeException e) {
            throw new DataException(
                "%s: cannot process %s: %s.".formatted(spec.weights(), spec.input(), errorLine(e)),
                e);
          }
          return features(spec, result);
        };
    try {
      return new TorchEmbedder(spec, device, forward, List.of(module::close, device::close));
    } catch (RuntimeException e) {
      module.close();
      device.close();
      throw e;
    }
  }

  /** Returns the first output of a script, one row per item. */
  private static Tensor features(EmbedderSpec spec, IValue result) {
    Tensor first = null;
    if (result.isTensor()) {
      first = result.toTensor();
    } else if (result.isTensorList() && result.toTensorVector().size() > 0) {
      first = result.toTensorVector().get(0);
    } else if (result.isTuple() && result.toTuple().elements().get(0).isTensor()) {
      first = result.toTuple().elements().get(0).toTensor();
    }
    if (first == null || first.dim() < 2 || first.is_complex()) {
      throw new DataException(
          "%s returns %s; expected a tensor of real numbers with one row per item, or several outputs"
                  .formatted(spec.weights(), describe(result, first))
              + " starting with such a tensor.");
    }
    return first.flatten(1, -1).to(torch.ScalarType.Float);
  }

  private static String describe(IValue result, Tensor first) {
    if (first == null) {
      return "a value of kind " + result.tagKind().getString();
    }
    return first.is_complex()
        ? "complex numbers"
        : "a tensor of %d dimensions".formatted(first.dim());
  }

  /** Returns the line with the error itself; in errors of TorchScript, its location comes first. */
  private static String errorLine(RuntimeException e) {
    List<String> lines =
        String.valueOf(e.getMessage())
            .lines()
            .map(String::strip)
            .filter(l -> !l.isEmpty())
            .toList();
    return lines.stream()
        .filter(line -> line.startsWith("RuntimeError:"))
        .findFirst()
        .or(() -> lines.stream().findFirst())
        .orElse(e.getClass().getSimpleName())
        .replaceAll("\\.$", "");
  }

  /** An embedder that computes all items in one pass, block by block on all threads. */
  private static final class TorchEmbedder implements Embedder {
    private final EmbedderSpec spec;
    private final Device device;
    private final Function<Tensor, Tensor> forward;
    private final List<Runnable> owned;
    private final Inference inference;
    private final int width;

    TorchEmbedder(
        EmbedderSpec spec, Device device, Function<Tensor, Tensor> forward, List<Runnable> owned) {
      this.spec = spec;
      this.device = device;
      this.forward = forward;
      this.owned = owned;
      this.width = measureWidth();
      this.inference = new Inference(spec.input(), device, spec.threads());
    }

    /** Returns the number of features, by computing those of an input of zeros. */
    private int measureWidth() {
      Torch.setThreads(1);
      try (PointerScope scope = new PointerScope();
          NoGradGuard guard = new NoGradGuard()) {
        long[] shape = Tensors.batchShape(spec.input(), 1);
        Tensor result = forward.apply(Tensors.of(new float[spec.input().length()], device, shape));
        return Math.toIntExact(result.size(1));
      }
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
      AtomicInteger done = new AtomicInteger();
      int[] all = IntStream.range(0, inputs.size()).toArray();
      inference.run(
          new ScaledInputs(inputs, all, spec.scaling()),
          forward,
          (from, to, result) -> {
            if (result.size(0) != to - from || result.size(1) != width) {
              throw new DataException(
                  "%s: for %d items, found %d rows of %d features, expected one row of %d per item."
                      .formatted(spec.weights(), to - from, result.size(0), result.size(1), width));
            }
            Tensors.copy(result, features.array(), features.rowOffset(from));
            progress.accept(done.addAndGet(to - from));
          });
      return features;
    }

    @Override
    public void close() {
      inference.close();
      owned.forEach(Runnable::run);
    }
  }
}
