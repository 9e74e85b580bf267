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

/** Features by libtorch: of networks that we know, with weights of a file, and of TorchScript. */
public final class TorchEmbedders implements EmbedderEngine {

  @Override
  public boolean opens(EmbedderSpec spec) {
    return !spec.weights().toString().endsWith(".onnx");
  }

  @Override
  public Embedder open(EmbedderSpec spec) {
    boolean script = isTorchScript(spec.weights());
    if (script && spec.network().isPresent()) {
      throw new DataException(
          "%s is a TorchScript file, which says itself how it computes; leave '%s@' out."
              .formatted(spec.weights(), spec.network().get()));
    }
    if (script) {
      return script(spec);
    }
    if (spec.network().isEmpty()) {
      ArrayBundle.open(spec.weights()); // or it says what is wrong
    }
    String network =
        spec.network()
            .orElseThrow(
                () ->
                    new DataException(
                        "%s holds tensors, and does not say of which network: write NETWORK@%s, as"
                                .formatted(spec.weights(), spec.weights())
                            + " resnet18@"
                            + spec.weights().getFileName()
                            + "."));
    return network(spec, Architectures.named(network));
  }

  /** Both are zip files that end in .pt or .pth; one of them has code in it. */
  private static boolean isTorchScript(Path file) {
    if (!Files.isRegularFile(file) || file.toString().endsWith(".safetensors")) {
      return false;
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return zip.stream().anyMatch(entry -> entry.getName().matches("[^/]+/code/.*"));
    } catch (IOException e) {
      return false; // whoever reads it says what is wrong
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
   * TorchScript is a program that libtorch runs, and it can read and write files of this machine
   * ({@code aten::from_file}): only files from a source that one trusts should get here.
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
          "%s: cannot be read as TorchScript: %s.".formatted(spec.weights(), firstLine(e)), e);
    }
    Function<Tensor, Tensor> forward =
        batch -> {
          try {
            IValue result = module.forward(new IValueVector(new IValue(batch)));
            return features(spec, result);
          } catch (DataException e) {
            throw e;
          } catch (RuntimeException e) {
            throw new DataException(
                "%s: it cannot be computed for %s: %s."
                    .formatted(spec.weights(), spec.input(), firstLine(e)),
                e);
          }
        };
    try {
      return new TorchEmbedder(spec, device, forward, List.of(module::close, device::close));
    } catch (RuntimeException e) {
      module.close();
      device.close();
      throw e;
    }
  }

  /** The first of what a script gives, a row for each item. */
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
          "%s gives %s; expected a tensor of real numbers with a row for each item, or several of which"
                  .formatted(spec.weights(), inWords(result, first))
              + " the first is one.");
    }
    return first.flatten(1, -1).to(torch.ScalarType.Float);
  }

  private static String inWords(IValue result, Tensor first) {
    if (first == null) {
      return "a value of kind " + result.tagKind().getString();
    }
    return first.is_complex()
        ? "complex numbers"
        : "a tensor of %d dimensions".formatted(first.dim());
  }

  /** What libtorch says last is what went wrong; what comes before is where. */
  private static String firstLine(RuntimeException e) {
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

  /** One pass over all items, block by block on all threads. */
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
      this.width = tryOne();
      this.inference = new Inference(spec.input(), device, spec.threads());
    }

    /** How many features an item has is seen where one is made; a black image will do. */
    private int tryOne() {
      Torch.threads(1);
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
                  "%s: %d items gave %d rows of %d features, expected one of %d for each."
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
