package org.alfamix.learn.embed;

import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens pre-trained encoders of texts. The module {@code alfamix-onnx} implements it. */
public interface TextEncoderEngine {

  /**
   * Opens an encoder.
   *
   * @param name {@value TextFeatures#MINILM}, or a folder or file with a model in ONNX format and
   *     its {@code tokenizer.json}
   * @throws DataException if the model or its tokenizer cannot be read
   */
  Embedder open(String name, EncoderOptions options);

  /** Returns whether there is an engine; it may be built or downloaded first. */
  static boolean isAvailable() {
    return Engines.find(TextEncoderEngine.class).isPresent();
  }

  /** Returns the engine, which may be built or downloaded first. */
  static TextEncoderEngine find() {
    return Engines.find(TextEncoderEngine.class)
        .orElseThrow(
            () ->
                new DataException(
                        "Pre-trained features of texts require the module alfamix-onnx on the"
                            + " class path. Unpack the alfamix zip with 'onnx' in its name into"
                            + " the installation folder.")
                    .advise("for features without a pre-trained network, use ngrams", "features"));
  }
}
