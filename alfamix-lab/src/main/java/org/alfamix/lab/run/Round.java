package org.alfamix.lab.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.alfamix.io.table.JsonTree;

/**
 * A completed round: the labelled items, the accuracy of the network, and the picks of the method.
 *
 * @param number counted from 0; round 0 has the initial labels
 * @param labelled labelled rows of the pool, in the order of labelling
 * @param accuracy share of test items with a correct prediction
 * @param epochs number of training epochs
 * @param trainingAccuracy accuracy on the labelled items
 * @param query the picks; empty in the last round
 * @param seconds duration of training, testing, embedding and selecting
 * @param jobs number of parallel runs at the time, which is reported with the times
 * @param madeBy the provenance that differs from the run's header because another version, Java or
 *     machine resumed the run; usually empty
 */
public record Round(
    int number,
    int[] labelled,
    double accuracy,
    int epochs,
    double trainingAccuracy,
    Optional<Query> query,
    Map<String, Double> seconds,
    int jobs,
    Map<String, String> madeBy) {

  private static final List<String> QUERIED = List.of("train", "test", "embed", "select");
  private static final List<String> LAST = List.of("train", "test");
  private static final double MAX_LENGTH = 1e9;
  private static final double MAX_NATS = 100;

  /**
   * The picks of a method.
   *
   * @param picks rows of the pool, in order
   * @param candidates number of items that the method chose from
   * @param cap the final cap of ALFA-Mix, NaN for others
   * @param toppedUp number of random picks because there were too few candidates
   * @param candidateItems the candidates of ALFA-Mix, if the setting shows the latent space
   */
  public record Query(
      int[] picks,
      int candidates,
      double cap,
      int toppedUp,
      QueryStatistics statistics,
      int[] candidateItems) {}

  /** Returns the round with the number of parallel runs and the provenance that differs. */
  Round withContext(int parallelRuns, Map<String, String> changedProvenance) {
    return new Round(
        number,
        labelled,
        accuracy,
        epochs,
        trainingAccuracy,
        query,
        seconds,
        parallelRuns,
        changedProvenance);
  }

  /**
   * Returns the values that a repeated run must reproduce: all except times, provenance, and values
   * that only a map needs.
   *
   * @param withQuery whether to include the picks
   */
  Map<String, String> facts(boolean withQuery) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("labelled items", Arrays.toString(labelled));
    facts.put("accuracy", String.valueOf(accuracy));
    facts.put("epochs", String.valueOf(epochs));
    facts.put("training accuracy", String.valueOf(trainingAccuracy));
    if (withQuery && query.isPresent()) {
      Query own = query.get();
      facts.put("picks", Arrays.toString(own.picks));
      facts.put("candidates", String.valueOf(own.candidates));
      facts.put("cap", String.valueOf(own.cap));
      facts.put("topped up", String.valueOf(own.toppedUp));
      facts.put("query statistics", own.statistics.toString());
    }
    return facts;
  }

  /** Returns the picked rows; empty in the last round. */
  int[] picks() {
    return query.map(Query::picks).orElse(new int[0]);
  }

  /** Returns the rows that are labelled in the next round. */
  int[] labelledNext() {
    return IntStream.concat(IntStream.of(labelled), IntStream.of(picks())).toArray();
  }

  /** Returns a line of JSON with its line break. */
  String toJson() {
    return toJson(true);
  }

  /** Returns the line without labelled items that follow from the previous lines. */
  String toCompactJson() {
    return toJson(number == 0);
  }

  private String toJson(boolean withLabelled) {
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
      if (!madeBy.isEmpty()) {
        json.writeObjectFieldStart("madeBy");
        for (Map.Entry<String, String> each : madeBy.entrySet()) {
          json.writeStringField(each.getKey(), each.getValue());
        }
        json.writeEndObject();
      }
      if (withLabelled) {
        writeItems(json, "labelled", labelled);
      }
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

  /**
   * Reads such a line.
   *
   * @param before the previous round, which determines the labelled items if the line omits them;
   *     null for the first
   */
  static Round of(JsonTree json, Round before) {
    int[] labelled =
        before == null || json.has("labelled")
            ? items(json.get("labelled"))
            : before.labelledNext();
    json.get("labels").require(labelled.length, labelled.length);
    boolean queried = json.has("picks");
    JsonTree seconds = json.get("seconds");
    Map<String, Double> times = new LinkedHashMap<>();
    for (String phase : queried ? QUERIED : LAST) {
      times.put(phase, seconds.get(phase).require(0, MAX_LENGTH));
    }
    return new Round(
        json.get("round").integer(),
        labelled,
        json.get("accuracy").require(0, 1),
        json.get("epochs").integer(),
        json.get("trainingAccuracy").require(0, 1),
        queried ? Optional.of(queryOf(json)) : Optional.empty(),
        times,
        seconds.get("jobs").integer(),
        json.has("madeBy") ? json.get("madeBy").texts() : Map.of());
  }

  private static int[] items(JsonTree json) {
    json.list().forEach(item -> item.require(0, Integer.MAX_VALUE));
    return json.integers();
  }

  private static Query queryOf(JsonTree json) {
    JsonTree statistics = json.get("query");
    return new Query(
        items(json.get("picks")),
        json.get("candidates").integer(),
        json.has("cap") ? json.get("cap").number() : Double.NaN,
        json.get("toppedUp").integer(),
        new QueryStatistics(
            statistics.get("confidence").require(0, 1),
            statistics.get("margin").require(0, 1),
            statistics.get("labelEntropy").require(0, MAX_NATS),
            statistics.get("pairEntropy").require(0, MAX_NATS)),
        json.has("candidateItems") ? items(json.get("candidateItems")) : new int[0]);
  }
}
