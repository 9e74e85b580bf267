package org.alfamix.select;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Json;

/**
 * Labels from an export of Label Studio, as JSON (tasks with annotations) or JSON_MIN (flat
 * objects). Tasks without annotations, or with cancelled ones, have no label.
 *
 * <p>A task belongs to the item that its field {@value #ID} names (written by alfamix), otherwise
 * to the item whose id is the value of any field of its data.
 */
final class LabelStudioExport {
  /** The field of a task's data that holds the id of the item. */
  static final String ID = "alfamix_id";

  /** Fields that JSON_MIN adds to a task's data; they are neither labels nor ids of the pool. */
  private static final List<String> ADDED =
      List.of(
          "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement");

  /** Receives the labels. */
  @FunctionalInterface
  interface Sink {
    void put(int row, String label, String place);
  }

  private final Path file;
  private final Pool pool;
  private final String idField;
  private final String labelField;
  private final Sink sink;

  /** The Choices control that the labels come from. */
  private String control;

  private LabelStudioExport(Path file, Pool pool, String idField, String labelField, Sink sink) {
    this.file = file;
    this.pool = pool;
    this.idField = idField;
    this.labelField = labelField;
    this.sink = sink;
  }

  static void read(Path file, Pool pool, String idField, String labelField, Sink sink) {
    LabelStudioExport export = new LabelStudioExport(file, pool, idField, labelField, sink);
    try (InputStream in = Files.newInputStream(file);
        JsonParser json = new JsonFactory().createParser(in)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new DataException(file + ": expected a list of tasks, as Label Studio exports it.");
      }
      for (int at = 0; json.nextToken() != JsonToken.END_ARRAY; at++) {
        Object task = value(json);
        if (!(task instanceof Map<?, ?> fields)) {
          throw new DataException("%s, task %d: expected an object.".formatted(file, at));
        }
        export.readTask(fields, "task " + at);
      }
    } catch (JsonProcessingException e) {
      throw new DataException(file + ": invalid JSON: " + Json.reason(e) + ".", e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Reads any JSON value as maps, lists and strings. */
  private static Object value(JsonParser json) throws IOException {
    switch (json.currentToken()) {
      case START_OBJECT:
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          String key = json.currentName();
          json.nextToken();
          object.put(key, value(json));
        }
        return object;
      case START_ARRAY:
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        return list;
      case VALUE_NULL:
        return null;
      default:
        return json.getText();
    }
  }

  private void readTask(Map<?, ?> task, String place) {
    if (task.get("data") instanceof Map<?, ?> data) {
      readFull(task, data, place);
    } else {
      readMinimal(task, place);
    }
  }

  private void readFull(Map<?, ?> task, Map<?, ?> data, String place) {
    if (!(task.get("annotations") instanceof List<?> annotations)) {
      return;
    }
    for (Object each : annotations) {
      if (each instanceof Map<?, ?> annotation
          && !"true".equals(annotation.get("was_cancelled"))
          && annotation.get("result") instanceof List<?> results) {
        for (Object result : results) {
          String label = label(result, place);
          if (label != null) {
            sink.put(row(data, place), label, place);
          }
        }
      }
    }
  }

  /** Returns the choice of one result, or null if it is of another kind or control. */
  private String label(Object result, String place) {
    if (result instanceof Map<?, ?> fields
        && "choices".equals(fields.get("type"))
        && (labelField == null || labelField.equals(fields.get("from_name")))
        && fields.get("value") instanceof Map<?, ?> value) {
      requireOneControl(String.valueOf(fields.get("from_name")), place);
      return onlyChoice(value.get("choices"), place);
    }
    return null;
  }

  /** Requires that all labels come from the same control. */
  private void requireOneControl(String name, String place) {
    control = control == null ? name : control;
    if (!control.equals(name)) {
      throw new DataException(
              "%s, %s: found choices of two controls, '%s' and '%s'; expected one control."
                  .formatted(file, place, control, name))
          .advise("name the labelling control", "labelColumn");
    }
  }

  private String onlyChoice(Object choices, String place) {
    if (choices instanceof List<?> list && list.size() == 1) {
      return String.valueOf(list.get(0));
    }
    throw new DataException(
        "%s, %s: the choices are %s, expected exactly one.".formatted(file, place, choices));
  }

  private void readMinimal(Map<?, ?> task, String place) {
    Object choice = null;
    if (labelField != null) {
      choice = task.get(labelField);
    } else {
      for (String usual : List.of("label", "choice", "class", "sentiment")) {
        choice = choice == null ? task.get(usual) : choice;
      }
      if (choice == null && task.get("annotation_id") != null) {
        throw new DataException(
                "%s, %s: the task is annotated, but has no field 'label'.".formatted(file, place))
            .advise("name the label field", "labelColumn");
      }
    }
    if (choice instanceof Map<?, ?> several) {
      choice = onlyChoice(several.get("choices"), place);
    } else if (choice instanceof List<?>) {
      choice = onlyChoice(choice, place);
    }
    if (choice != null && !choice.toString().isBlank()) {
      sink.put(row(task, place), choice.toString(), place);
    }
  }

  private int row(Map<?, ?> data, String place) {
    String named = idField != null ? idField : data.containsKey(ID) ? ID : null;
    if (named != null) {
      String id = String.valueOf(data.get(named));
      return pool.row(id)
          .orElseThrow(
              () ->
                  new DataException(
                      "%s, %s: the pool has no item '%s'.".formatted(file, place, id)));
    }
    for (Map.Entry<?, ?> field : data.entrySet()) {
      if (field.getValue() instanceof String text && !ADDED.contains(field.getKey().toString())) {
        OptionalInt row = pool.hasIds() ? pool.row(text) : OptionalInt.empty();
        if (row.isPresent()) {
          return row.getAsInt();
        }
      }
    }
    throw new DataException(
            "%s, %s: no field contains the id of an item of the pool; expected the field %s."
                .formatted(file, place, ID))
        .advise("name the id field", "labelIdColumn");
  }
}
