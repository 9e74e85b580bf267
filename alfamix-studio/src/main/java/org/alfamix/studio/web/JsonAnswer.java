package org.alfamix.studio.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.javalin.http.Context;
import org.alfamix.io.table.JsonTree;

/** Reads and writes JSON bodies. */
final class JsonAnswer {
  private static final int MAX_CHARACTERS = 1 << 20;
  private static final ObjectMapper MAPPER = JsonMapper.builder().build();

  private JsonAnswer() {}

  /** Answers a request with a record. */
  static void answer(Context context, Object answer) {
    context.contentType("application/json").result(text(answer));
  }

  /** Returns a record as JSON. */
  static String text(Object answer) {
    try {
      return MAPPER.writeValueAsString(answer);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the body of a request. */
  static JsonTree body(Context context) {
    String body = context.body();
    if (body.length() > MAX_CHARACTERS) {
      throw new Guard.Refused(413, Texts.ENGLISH.get("problem.long-request"));
    }
    return JsonTree.parse("request body", body);
  }
}
