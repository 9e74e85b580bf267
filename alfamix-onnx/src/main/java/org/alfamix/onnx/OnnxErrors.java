package org.alfamix.onnx;

import ai.onnxruntime.OrtException;

/** Messages of ONNX Runtime. */
final class OnnxErrors {
  private OnnxErrors() {}

  /** Returns the first line of a message, without its final dot. */
  static String reason(OrtException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceAll("\\.$", "");
  }
}
