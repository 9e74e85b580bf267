package org.alfamix.onnx;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import org.alfamix.io.DataException;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.TextEncoderEngine;
import org.alfamix.learn.embed.TextFeatures;

/** Opens text encoders in ONNX files, with the tokenizers of Hugging Face. */
public final class TextEncoders implements TextEncoderEngine {

  @Override
  public Embedder open(String name, EncoderOptions options) {
    EncoderFiles files =
        name.equals(TextFeatures.MINILM) ? EncoderFiles.miniLm() : EncoderFiles.at(Path.of(name));
    TextTokenizer tokenizer = TextTokenizer.open(files.tokenizerName(), files.tokenizer());
    try {
      return new OnnxTextEncoder(name, files, files.options(options), tokenizer);
    } catch (OrtException e) {
      tokenizer.close();
      throw new DataException(
          "%s: cannot be read as ONNX: %s.".formatted(files.modelName(), OnnxErrors.reason(e)), e);
    } catch (RuntimeException e) {
      tokenizer.close();
      throw e;
    }
  }
}
