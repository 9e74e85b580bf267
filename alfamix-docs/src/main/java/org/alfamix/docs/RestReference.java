package org.alfamix.docs;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The reference of the studio's REST API, as Markdown, from its OpenAPI description. */
final class RestReference {
  private static final String RESOURCE = "/org/alfamix/studio/web/openapi.yaml";
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private final Map<?, ?> description;
  private final StringBuilder text = new StringBuilder();

  private RestReference(Map<?, ?> description) {
    this.description = description;
  }

  /** Returns the page. */
  static String markdown() throws IOException {
    try (InputStream in = RestReference.class.getResourceAsStream(RESOURCE)) {
      Object yaml = new Load(LoadSettings.builder().build()).loadFromInputStream(in);
      return new RestReference((Map<?, ?>) yaml).write();
    }
  }

  private String write() {
    Map<?, ?> info = map(description, "info");
    text.append("# REST API of the studio\n\n")
        .append("<!-- Generated from openapi.yaml by GeneratedPagesTest: do not edit. -->\n\n")
        .append("`alfamix studio serve` answers requests under `/api`. `/api/openapi.yaml` is its")
        .append(" OpenAPI description.\n\n")
        .append(CommandReference.wrap(info.get("description").toString()))
        .append("\n\n| request | purpose |\n|---|---|\n");
    List<Operation> operations = operations();
    for (Operation each : operations) {
      text.append("| `%s` | %s |\n".formatted(each.name(), cell(each.summary())));
    }
    operations.forEach(this::append);
    appendSchemas();
    return text.toString();
  }

  /** One method of one path; parameters are those of the path and of the method. */
  private record Operation(String method, String path, Map<?, ?> fields, List<Object> parameters) {
    String name() {
      return method.toUpperCase(Locale.ROOT) + " " + path;
    }

    String summary() {
      return String.valueOf(fields.get("summary"));
    }
  }

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    map(description, "paths")
        .forEach(
            (path, methods) -> {
              Map<?, ?> fields = (Map<?, ?>) methods;
              fields.forEach(
                  (method, operation) -> {
                    if (METHODS.contains(method.toString())) {
                      Map<?, ?> own = (Map<?, ?>) operation;
                      List<Object> parameters = new ArrayList<>(list(fields, "parameters"));
                      parameters.addAll(list(own, "parameters"));
                      operations.add(
                          new Operation(method.toString(), path.toString(), own, parameters));
                    }
                  });
            });
    return operations;
  }

  private void append(Operation operation) {
    text.append("\n## ").append(operation.name()).append("\n\n");
    text.append(operation.summary().strip()).append(".\n");
    String details = text(operation.fields().get("description"));
    if (!details.isBlank()) {
      text.append('\n').append(CommandReference.wrap(details)).append('\n');
    }
    List<Map<?, ?>> query =
        operation.parameters().stream()
            .<Map<?, ?>>map(this::dereference)
            .filter(each -> "query".equals(each.get("in")))
            .toList();
    if (!query.isEmpty()) {
      text.append("\n| query parameter | type | description |\n|---|---|---|\n");
      for (Map<?, ?> each : query) {
        Map<?, ?> schema = map(each, "schema");
        text.append(
            "| `%s` | %s | %s |\n"
                .formatted(each.get("name"), type(schema), cell(text(each.get("description")))));
      }
    }
    Map<?, ?> content = map(map(operation.fields(), "requestBody"), "content");
    content.forEach(
        (type, body) ->
            text.append(
                "\nRequest body: `%s`, %s.\n"
                    .formatted(type, type(map((Map<?, ?>) body, "schema")))));
    text.append("\n| status | response |\n|--:|---|\n");
    map(operation.fields(), "responses")
        .forEach(
            (status, response) -> {
              Map<?, ?> fields = dereference(response);
              Map<?, ?> body = map(map(map(fields, "content"), "application/json"), "schema");
              String schema = body.containsKey("$ref") ? " (" + type(body) + ")" : "";
              text.append(
                  "| %s | %s%s |\n"
                      .formatted(status, cell(text(fields.get("description"))), schema));
            });
  }

  private void appendSchemas() {
    text.append("\n## Objects\n");
    map(map(description, "components"), "schemas")
        .forEach(
            (name, schema) -> {
              Map<?, ?> fields = (Map<?, ?>) schema;
              text.append("\n### ").append(name).append("\n\n");
              String details = text(fields.get("description"));
              if (fields.containsKey("properties") || fields.containsKey("allOf")) {
                if (!details.isBlank()) {
                  text.append(CommandReference.wrap(details)).append("\n\n");
                }
                text.append("| field | type | description |\n|---|---|---|\n");
                appendProperties(fields);
              } else {
                String type = details.isBlank() ? type(fields) : type(fields) + ": " + details;
                text.append(CommandReference.wrap(type)).append('\n');
              }
            });
  }

  /** Appends the fields of an object, those that it inherits ({@code allOf}) first. */
  private void appendProperties(Map<?, ?> schema) {
    list(schema, "allOf").forEach(part -> appendProperties(dereference(part)));
    List<?> required = list(schema, "required");
    map(schema, "properties")
        .forEach(
            (property, value) -> appendProperty(property.toString(), (Map<?, ?>) value, required));
  }

  private void appendProperty(String name, Map<?, ?> schema, List<?> required) {
    String note = text(schema.get("description"));
    if (required.contains(name)) {
      note = note.isEmpty() ? "required" : note + "; required";
    } else if (schema.containsKey("default")) {
      String fallback = "default: `" + schema.get("default") + "`";
      note = note.isEmpty() ? fallback : note + "; " + fallback;
    }
    text.append("| `%s` | %s | %s |\n".formatted(name, type(schema), cell(note)));
    Map<?, ?> items = map(schema, "items");
    map(items, "properties")
        .forEach(
            (property, value) ->
                appendProperty(name + "[]." + property, (Map<?, ?>) value, List.of()));
  }

  private String type(Map<?, ?> schema) {
    if (schema.containsKey("$ref")) {
      String name = schema.get("$ref").toString().replaceFirst(".*/", "");
      return "[%s](#%s)".formatted(name, name.toLowerCase(Locale.ROOT));
    }
    if (schema.containsKey("enum")) {
      List<String> values = list(schema, "enum").stream().map(each -> "`" + each + "`").toList();
      return String.join(", ", values);
    }
    String type = text(schema.get("type"));
    if (type.equals("array")) {
      return "array of " + type(map(schema, "items"));
    }
    Object least = schema.get("minimum");
    Object most = schema.get("maximum");
    if (least != null && most != null) {
      return type + ", " + least + " to " + most;
    }
    if (least != null) {
      return type + ", at least " + least;
    }
    Object length = schema.get("maxLength");
    return length == null ? type : type + ", at most " + length + " characters";
  }

  private Map<?, ?> dereference(Object value) {
    Map<?, ?> fields = (Map<?, ?>) value;
    Object reference = fields.get("$ref");
    if (reference == null) {
      return fields;
    }
    Map<?, ?> found = description;
    for (String step : reference.toString().substring(2).split("/")) {
      found = map(found, step);
    }
    if (!fields.containsKey("description")) {
      return found;
    }
    // A description next to the reference is more specific than that of the target.
    Map<Object, Object> specific = new LinkedHashMap<>(found);
    specific.put("description", fields.get("description"));
    return specific;
  }

  private static Map<?, ?> map(Map<?, ?> from, String key) {
    return from.get(key) instanceof Map<?, ?> found ? found : Map.of();
  }

  private static List<Object> list(Map<?, ?> from, String key) {
    return from.get(key) instanceof List<?> found ? List.copyOf(found) : List.of();
  }

  private static String text(Object value) {
    // Folded text in YAML ends with a line break.
    return value == null ? "" : value.toString().strip();
  }

  private static String cell(String value) {
    return value.replaceAll("\\s+", " ").replace("|", "\\|").strip();
  }
}
