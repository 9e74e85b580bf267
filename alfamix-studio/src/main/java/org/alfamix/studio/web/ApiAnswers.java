package org.alfamix.studio.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/** Answers of the REST API, as {@code openapi.yaml} describes them. Null values are omitted. */
final class ApiAnswers {
  private ApiAnswers() {}

  record Failure(String error) {}

  record Projects(List<Summary> projects) {}

  record Summary(String name, int items, int labelled, String created) {}

  /**
   * A project.
   *
   * @param options JSON
   */
  record Details(
      @JsonUnwrapped Summary summary,
      @JsonRawValue String options,
      List<ClassCount> classes,
      boolean busy,
      String state,
      String failure,
      List<String> unreadable) {}

  record ClassCount(long id, String name, long labels) {}

  record NewClass(long id, String name) {}

  record Imported(int labels) {}

  record Next(List<NextItem> items, boolean busy) {}

  /**
   * An item to label; without a reason if the model did not pick it.
   *
   * @param near JSON: similar labelled items
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record NextItem(int item, String reason, Long predicted, @JsonRawValue String near) {}

  record Undone(List<Integer> items) {}

  record Labels(List<ItemLabel> labels) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemLabel(int item, @JsonProperty("class") Long classId, long change) {}

  record Rounds(List<Round> rounds) {}

  record Round(
      int number, String method, int labels, int tested, int correct, double seconds, String at) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ItemDetails(
      int item, String name, boolean held, @JsonProperty("class") Long classId, Boolean unclear) {}

  record Changes(List<Change> changes) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Change(
      long id,
      String action,
      @JsonProperty("class") Long classId,
      String annotator,
      String at,
      Long undoes) {}
}
