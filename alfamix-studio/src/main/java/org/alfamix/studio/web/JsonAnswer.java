package org.alfamix.studio.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.alfamix.io.table.JsonTree;

/** What programs send and get. */
final class JsonAnswer {
  private static final int MOST_CHARACTERS = 1 << 20;

  private JsonAnswer() {}

  /** Writes fields. */
  @FunctionalInterface
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** Answers with an object. */
  static void answer(Context context, Fields fields) {
    context.contentType("application/json").result(object(fields));
  }

  static String object(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** What was sent. */
  static JsonTree body(Context context) {
    String body = context.body();
    if (body.length() > MOST_CHARACTERS) {
      throw new Guard.Refused(413, "The request is too long.");
    }
    return JsonTree.parse(Path.of("request"), "its body", body);
  }
}
