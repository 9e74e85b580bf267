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
                            + ": ONNX requires the module alfamix-onnx on the class path. Unpack"
                            + " the alfamix zip with 'onnx' in its name into the installation"
                            + " folder."
                        : spec.name()
                            + ": networks require the module alfamix-torch on the class path."
                            + " Unpack the alfamix zip with 'torch' in its name into the"
                            + " installation folder."))
        .open(spec);
  }

  private static boolean isOnnx(EmbedderSpec spec) {
    return spec.weights().toString().endsWith(".onnx");
  }
}
