package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonProcessingException;

/** What to tell people of JSON that is none. */
public final class Json {
  private Json() {}

  /** Why it could not be read, without the parser's talk of itself. */
  public static String reason(JsonProcessingException e) {
    String line = String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("");
    return line.replaceAll(" *\\((for|start marker) .*| *at \\[Source.*", "").strip();
  }
}
