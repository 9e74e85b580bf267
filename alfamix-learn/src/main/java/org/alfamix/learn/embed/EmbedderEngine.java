package org.alfamix.learn.embed;

import java.util.Optional;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens embedders from some kinds of files. Implementations are found at run time. */
public interface EmbedderEngine {

  /** Returns whether it can open an embedder with these settings. */
  boolean supports(EmbedderSpec spec);

  /**
   * Opens an embedder.
   *
   * @throws DataException if the file is invalid or does not accept such inputs
   */
  Embedder open(EmbedderSpec spec);

  /** Opens an embedder with the first engine on the class path that supports it. */
  static Embedder find(EmbedderSpec spec) {
    return Engines.installed(EmbedderEngine.class)
        .filter(engine -> engine.supports(spec))
        .findFirst()
        .or(() -> isOnnx(spec) ? Engines.fetch(EmbedderEngine.class) : Optional.empty())
        .orElseThrow(
            () ->
                new DataException(
                    isOnnx(spec)
                        ? spec.weights()
                            + ": ONNX needs the module alfamix-onnx on the class path. Unpack the"
                            + " zip of alfamix with 'onnx' in its name over the main one."
                        : spec.name()
                            + ": networks need the module alfamix-torch on the class path. Unpack"
                            + " the zip of alfamix with 'torch' in its name over the main one."))
        .open(spec);
  }

  private static boolean isOnnx(EmbedderSpec spec) {
    return spec.weights().toString().endsWith(".onnx");
  }
}
