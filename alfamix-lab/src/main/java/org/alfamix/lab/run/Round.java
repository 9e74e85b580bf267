package org.alfamix.lab.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.alfamix.data.table.JsonTree;

/**
 * A finished round: what was labelled, how well the network did with that, and what the method
 * picked next.
 *
 * @param number counted from 0; round 0 has the initial labels
 * @param labelled rows of the pool that were labelled, in the order in which they were
 * @param accuracy share of the test items that were predicted rightly
 * @param epochs how long the network was trained
 * @param trainingAccuracy what it reached on the labelled items
 * @param query what was picked; none in the last round
 * @param seconds how long training, testing, embedding and selecting took
 * @param jobs how many runs computed at once meanwhile, which is told with the times
 */
public record Round(
    int number,
    int[] labelled,
    double accuracy,
    int epochs,
    double trainingAccuracy,
    Optional<Query> query,
    Map<String, Double> seconds,
    int jobs) {

  /**
   * What a method picked.
   *
   * @param picks rows of the pool, in order
   * @param candidates how many items it chose from after a test of its own
   * @param cap the final cap of ALFA-Mix, NaN for others
   * @param toppedUp how many were drawn at random because candidates were too few
   * @param candidateItems the candidates of ALFA-Mix, where the setting shows the latent space
   */
  public record Query(
      int[] picks,
      int candidates,
      double cap,
      int toppedUp,
      QueryStatistics statistics,
      int[] candidateItems) {}

  /** One line of JSON, with its end. */
  String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeNumberField("round", number);
      json.writeNumberField("labels", labelled.length);
      json.writeNumberField("accuracy", accuracy);
      json.writeNumberField("epochs", epochs);
      json.writeNumberField("trainingAccuracy", trainingAccuracy);
      if (query.isPresent()) {
        write(json, query.get());
      }
      json.writeObjectFieldStart("seconds");
      for (Map.Entry<String, Double> each : seconds.entrySet()) {
        json.writeNumberField(each.getKey(), Math.round(each.getValue() * 1e4) / 1e4);
      }
      json.writeNumberField("jobs", jobs);
      json.writeEndObject();
      writeItems(json, "labelled", labelled);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void write(JsonGenerator json, Query query) throws IOException {
    writeItems(json, "picks", query.picks);
    json.writeNumberField("candidates", query.candidates);
    if (Double.isFinite(query.cap)) {
      json.writeNumberField("cap", query.cap);
    }
    json.writeNumberField("toppedUp", query.toppedUp);
    json.writeObjectFieldStart("query");
    json.writeNumberField("confidence", query.statistics.confidence());
    json.writeNumberField("margin", query.statistics.margin());
    json.writeNumberField("labelEntropy", query.statistics.labelEntropy());
    json.writeNumberField("pairEntropy", query.statistics.pairEntropy());
    json.writeEndObject();
    if (query.candidateItems.length > 0) {
      writeItems(json, "candidateItems", query.candidateItems);
    }
  }

  private static void writeItems(JsonGenerator json, String name, int[] items) throws IOException {
    json.writeFieldName(name);
    json.writeArray(items, 0, items.length);
  }

  /** Reads such a line. */
  static Round of(JsonTree json) {
    JsonTree seconds = json.get("seconds");
    Map<String, Double> times = new LinkedHashMap<>();
    for (String phase : new String[] {"train", "test", "embed", "select"}) {
      if (seconds.has(phase)) {
        times.put(phase, seconds.get(phase).number());
      }
    }
    return new Round(
        json.get("round").integer(),
        json.get("labelled").integers(),
        json.get("accuracy").number(),
        json.get("epochs").integer(),
        json.get("trainingAccuracy").number(),
        json.has("picks") ? Optional.of(queryOf(json)) : Optional.empty(),
        times,
        seconds.get("jobs").integer());
  }

  private static Query queryOf(JsonTree json) {
    JsonTree statistics = json.get("query");
    return new Query(
        json.get("picks").integers(),
        json.get("candidates").integer(),
        json.has("cap") ? json.get("cap").number() : Double.NaN,
        json.get("toppedUp").integer(),
        new QueryStatistics(
            statistics.get("confidence").number(),
            statistics.get("margin").number(),
            statistics.get("labelEntropy").number(),
            statistics.get("pairEntropy").number()),
        json.has("candidateItems") ? json.get("candidateItems").integers() : new int[0]);
  }
}
