package org.alfamix.lab.run;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.alfamix.math.Kernels;

/**
 * What made a result, by topic: whoever has the same of all these gets the same numbers.
 *
 * @param facts version, commit, Java, system, processor, kernels, engine, device, data
 */
public record Provenance(Map<String, String> facts) {
  private static final String UNKNOWN = "unknown";

  public Provenance {
    facts = new LinkedHashMap<>(facts);
  }

  /**
   * Of this process.
   *
   * @param engine what computes the networks
   * @param device where
   * @param data the checksum of the data
   * @param weights that of the weights which a network begins from, where it does
   */
  static Provenance now(String engine, String device, String data, Optional<String> weights) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("version", version());
    facts.put("commit", commit());
    facts.put(
        "java",
        System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
    facts.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    facts.put("processor", Processor.name());
    facts.put("kernels", Kernels.description());
    facts.put("engine", engine);
    facts.put("device", device);
    facts.put("data", data);
    weights.ifPresent(checksum -> facts.put("weights", checksum));
    return new Provenance(facts);
  }

  /** Of alfamix, as in the jar's manifest. */
  public static String version() {
    String version = Provenance.class.getPackage().getImplementationVersion();
    return version == null ? "(unpackaged)" : version;
  }

  /** What it was built from; it ends in -dirty where something was not committed. */
  public static String commit() {
    try (InputStream in = Provenance.class.getResourceAsStream("commit.txt")) {
      return in == null ? UNKNOWN : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** What another one has otherwise, by topic. */
  Map<String, String> changes(Provenance other) {
    Set<String> topics = new LinkedHashSet<>(facts.keySet());
    topics.addAll(other.facts.keySet());
    Map<String, String> changes = new LinkedHashMap<>();
    for (String topic : topics) {
      String now = other.fact(topic);
      if (!fact(topic).equals(now)) {
        changes.put(topic, now);
      }
    }
    return changes;
  }

  /** What was learnt from is not the same: data or weights; empty where it is. */
  Optional<String> otherMaterial(Provenance other) {
    return Stream.of("data", "weights")
        .filter(topic -> !fact(topic).equals(other.fact(topic)))
        .findFirst();
  }

  String fact(String topic) {
    return facts.getOrDefault(topic, UNKNOWN);
  }

  void write(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("provenance");
    for (Map.Entry<String, String> fact : facts.entrySet()) {
      json.writeStringField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
  }
}
