package org.alfamix.learn.embed;

import java.util.ServiceLoader;
import org.alfamix.io.DataException;

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
    return ServiceLoader.load(EmbedderEngine.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(engine -> engine.opens(spec))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    spec.weights().toString().endsWith(".onnx")
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
}
