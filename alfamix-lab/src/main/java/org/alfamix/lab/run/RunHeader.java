package org.alfamix.lab.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.alfamix.io.table.JsonTree;
import org.alfamix.lab.setting.FormerKeys;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;

/**
 * The first line of a run's file: the identity and the provenance of the run.
 *
 * @param setting the name of the setting
 * @param definingValues the values that results depend on, see {@link
 *     org.alfamix.lab.setting.Setting#definingValues}
 * @param started the time of the start, in ISO 8601
 */
public record RunHeader(
    String setting,
    Map<String, String> definingValues,
    Method method,
    long seed,
    String started,
    Provenance provenance) {

  String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("setting", setting);
      writeTexts(json, "essence", definingValues);
      json.writeStringField("method", method.label());
      json.writeStringField("strategy", method.strategy());
      writeTexts(json, "options", method.options());
      json.writeStringField("seed", Long.toString(seed));
      json.writeStringField("started", started);
      provenance.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void writeTexts(JsonGenerator json, String name, Map<String, String> texts)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> each : texts.entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
  }

  static RunHeader of(JsonTree json) {
    return new RunHeader(
        json.get("setting").text(),
        FormerKeys.current(json.get("essence").texts()),
        new Method(
            json.get("method").text(), json.get("strategy").text(), json.get("options").texts()),
        json.get("seed").longInteger(),
        json.get("started").text(),
        new Provenance(json.get("provenance").texts()));
  }

  /** Describes the first difference to another header; empty if there is none. */
  String difference(RunHeader other) {
    return difference(identity(), other.identity(), other);
  }

  /** Describes the first difference of the settings only; method and seed may differ. */
  String settingDifference(RunHeader other) {
    return difference(
        new LinkedHashMap<>(definingValues), new LinkedHashMap<>(other.definingValues), other);
  }

  private String difference(Map<String, String> mine, Map<String, String> others, RunHeader other) {
    if (provenance.changedInput(other.provenance).isEmpty()) {
      mine.keySet().removeAll(Setting.PATH_KEYS); // the same file may be elsewhere
      others.keySet().removeAll(Setting.PATH_KEYS);
    }
    for (String key : mine.keySet()) {
      if (!mine.get(key).equals(others.get(key))) {
        return "%s '%s', now '%s'".formatted(key, mine.get(key), others.get(key));
      }
    }
    for (String key : others.keySet()) {
      if (!mine.containsKey(key)) {
        return "no %s, now '%s'".formatted(key, others.get(key));
      }
    }
    return "";
  }

  private Map<String, String> identity() {
    Map<String, String> identity = new LinkedHashMap<>(definingValues);
    identity.put("strategy", method.strategy());
    identity.put("options", method.options().toString());
    identity.put("seed", Long.toString(seed));
    return identity;
  }
}
