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
 * The software, hardware and data that produced a result, by topic. If all of them are the same,
 * the numbers are, too.
 *
 * @param facts version, commit, Java, system, processor, kernels, engine, device, data
 */
public record Provenance(Map<String, String> facts) {
  private static final String UNKNOWN = "unknown";

  public Provenance {
    facts = new LinkedHashMap<>(facts);
  }

  /**
   * Returns the provenance of results of this process.
   *
   * @param engine the description of the engine of networks
   * @param device the device of the networks
   * @param data the checksum of the data
   * @param weights the checksum of the initial weights, if any
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

  /** Returns the version of alfamix from the manifest of the jar. */
  public static String version() {
    String version = Provenance.class.getPackage().getImplementationVersion();
    return version == null ? "(unpackaged)" : version;
  }

  /** Returns the commit of the build, with the suffix -dirty if there were uncommitted changes. */
  public static String commit() {
    try (InputStream in = Provenance.class.getResourceAsStream("commit.txt")) {
      return in == null ? UNKNOWN : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Returns the values of another provenance that differ from this one, by topic. */
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

  /** Returns which of data and weights differs; empty if both are the same. */
  Optional<String> changedInput(Provenance other) {
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
