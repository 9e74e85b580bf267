package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonProcessingException;

/** Messages about invalid JSON. */
public final class Json {
  private Json() {}

  /** Returns the reason of a failure without the parser's details about its source. */
  public static String reason(JsonProcessingException e) {
    String line = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
    return line.replaceAll(" *\\((for|start marker) .*| *at \\[Source.*", "").strip();
  }
}
