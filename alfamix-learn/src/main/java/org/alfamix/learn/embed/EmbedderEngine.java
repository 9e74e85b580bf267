package org.alfamix.learn.embed;

import java.util.Optional;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** What opens embedders of some kinds of files; found at run time. */
public interface EmbedderEngine {

  /** Whether it can open such a one. */
  boolean opens(EmbedderSpec spec);

  /**
   * Opens it.
   *
   * @throws DataException where the file is not what it should be, or does not take such inputs
   */
  Embedder open(EmbedderSpec spec);

  /** Opens an embedder with whatever engine on the class path can. */
  static Embedder find(EmbedderSpec spec) {
    return Engines.installed(EmbedderEngine.class)
        .filter(engine -> engine.opens(spec))
        .findFirst()
        .or(() -> isOnnx(spec) ? Engines.fetched(EmbedderEngine.class) : Optional.empty())
        .orElseThrow(
            () ->
                new DataException(
                    isOnnx(spec)
                        ? spec.weights()
                            + ": ONNX needs the module alfamix-onnx on the class path; beside the"
                            + " zip of alfamix there is one with 'onnx' in its name, to be"
                            + " unpacked over it."
                        : "%s: nothing here can make features of it; networks need the module"
                                .formatted(spec.name())
                            + " alfamix-torch on the class path; beside the zip of alfamix there is"
                            + " one with 'torch' in its name, to be unpacked over it."))
        .open(spec);
  }

  private static boolean isOnnx(EmbedderSpec spec) {
    return spec.weights().toString().endsWith(".onnx");
  }
}
