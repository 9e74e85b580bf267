package org.alfamix.select;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.io.AtomicFiles;
import org.alfamix.math.Kernels;
import org.alfamix.mix.MixStatistics;
import org.alfamix.select.InputFiles.InputFile;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Selection;

/**
 * What made a batch, as JSON: the files and their digests, method, options, seed, versions, time
 * and memory.
 *
 * @param version of alfamix
 * @param query the SQL that was asked for the embeddings, or null
 * @param perClassCap most picks of one predicted class, or null
 * @param threads how many took part
 * @param statistics what mixing did to the pool, where the method mixes
 * @param seconds the time of reading, writing and all of it, beside what the batch knows
 */
public record Manifest(
    String version,
    Batch batch,
    List<InputFile> inputs,
    String query,
    boolean normalized,
    Integer perClassCap,
    int excluded,
    int threads,
    Optional<MixStatistics> statistics,
    Map<String, Double> seconds) {

  /** Writes the file, together with the others that appear with it. */
  public void write(Path file, AtomicFiles files) {
    files.write(file, this::write);
  }

  private void write(OutputStream out) throws IOException {
    DefaultPrettyPrinter pretty = new DefaultPrettyPrinter();
    pretty.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(pretty)) {
      json.writeStartObject();
      json.writeStringField("version", version);
      json.writeStringField("java", System.getProperty("java.version"));
      json.writeStringField(
          "system", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
      json.writeStringField("kernels", Kernels.description());
      json.writeNumberField("threads", threads);
      writeInputs(json);
      writeRequest(json);
      writeOutcome(json);
      writeStatistics(json);
      writeSeconds(json);
      writeMemory(json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  private void writeInputs(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("inputs");
    for (InputFile input : inputs) {
      json.writeStartObject();
      json.writeStringField("role", input.role());
      json.writeStringField("path", input.path().toString());
      json.writeNumberField("bytes", input.bytes());
      json.writeStringField("sha256", input.sha256());
      json.writeEndObject();
    }
    json.writeEndArray();
    if (query != null) {
      json.writeStringField("embeddingsSql", query);
      json.writeStringField("embeddingsSqlSha256", batch.pool().sha256());
    }
    json.writeObjectFieldStart("sizes");
    json.writeNumberField("pool", batch.pool().size());
    json.writeNumberField("labelled", batch.scope().labelled());
    json.writeNumberField("excluded", excluded);
    json.writeNumberField("unlabelled", batch.scope().eligible().length);
    json.writeNumberField("features", batch.pool().features());
    json.writeNumberField("classes", batch.scope().classes());
    json.writeEndObject();
  }

  private void writeRequest(JsonGenerator json) throws IOException {
    json.writeStringField("strategy", batch.request().strategy());
    json.writeObjectFieldStart("options");
    for (Map.Entry<String, String> option : batch.request().options().entrySet()) {
      writeValue(json, option.getKey(), option.getValue());
    }
    json.writeEndObject();
    json.writeNumberField("budget", batch.request().budget());
    json.writeNumberField("seed", batch.request().seed());
    json.writeBooleanField("normalized", normalized);
    if (perClassCap != null) {
      json.writeNumberField("perClassCap", perClassCap);
    }
    if (batch.list().classNames() != null) {
      json.writeArrayFieldStart("classNames");
      for (String name : batch.list().classNames()) {
        json.writeString(name);
      }
      json.writeEndArray();
    }
    if (batch.remark() != null) {
      json.writeStringField("remark", batch.remark());
    }
  }

  /** Numbers and truth values as such, anything else as text. */
  private static void writeValue(JsonGenerator json, String key, String text) throws IOException {
    if (text.matches("-?\\d{1,18}")) {
      json.writeNumberField(key, Long.parseLong(text));
    } else if (text.matches("-?\\d*\\.?\\d+([eE][-+]?\\d{1,3})?")) {
      json.writeNumberField(key, Double.parseDouble(text));
    } else if (text.equals("true") || text.equals("false")) {
      json.writeBooleanField(key, Boolean.parseBoolean(text));
    } else {
      json.writeStringField(key, text);
    }
  }

  private void writeOutcome(JsonGenerator json) throws IOException {
    json.writeNumberField("picks", batch.picks().size());
    if (batch.selection().isPresent()) {
      json.writeNumberField("candidates", batch.selection().get().candidates());
      writeFinite(json, "cap", batch.mixing().map(MixDiagnostics::cap).orElse(Double.NaN));
      json.writeNumberField("toppedUp", batch.drawnAtRandom());
    }
    json.writeObjectFieldStart("notes");
    Map<String, String> notes = batch.selection().map(Selection::notes).orElse(Map.of());
    for (Map.Entry<String, String> note : notes.entrySet()) {
      writeValue(json, note.getKey(), note.getValue());
    }
    json.writeEndObject();
  }

  private void writeStatistics(JsonGenerator json) throws IOException {
    if (statistics.isEmpty()) {
      return;
    }
    MixStatistics mixing = statistics.get();
    json.writeObjectFieldStart("mixing");
    json.writeArrayFieldStart("caps");
    for (MixStatistics.AtCap at : mixing.caps()) {
      json.writeStartObject();
      json.writeNumberField("cap", at.cap());
      json.writeNumberField("flipped", at.flipped());
      json.writeFieldName("flippedByAnchor");
      json.writeRawValue(Arrays.toString(at.perAnchor())); // on one line
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("measured", mixing.measured());
    writeFinite(json, "alphaMean", mixing.alphaMean());
    writeFinite(json, "alphaMeanDeviation", mixing.alphaMeanDeviation());
    writeFinite(json, "alphaDeviation", mixing.alphaDeviation());
    json.writeEndObject();
  }

  private static void writeFinite(JsonGenerator json, String key, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(key, value);
    } else {
      json.writeNullField(key);
    }
  }

  private void writeSeconds(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("seconds");
    for (Map.Entry<String, Double> entry : seconds.entrySet()) {
      json.writeNumberField(entry.getKey(), rounded(entry.getValue()));
      if (entry.getKey().equals("select")) {
        json.writeObjectFieldStart("phases");
        Map<String, Double> phases = batch.selection().map(Selection::seconds).orElse(Map.of());
        for (Map.Entry<String, Double> phase : phases.entrySet()) {
          json.writeNumberField(phase.getKey(), rounded(phase.getValue()));
        }
        json.writeEndObject();
      }
    }
    json.writeEndObject();
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1e4) / 1e4;
  }

  /** The memory of this process so far, as a field of the object that is being written. */
  public static void writeMemory(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("memory");
    json.writeNumberField("maxHeapBytes", Runtime.getRuntime().maxMemory());
    json.writeNumberField("peakHeapBytes", peakHeap());
    long resident = peakResident();
    if (resident > 0) {
      json.writeNumberField("peakResidentBytes", resident);
    }
    json.writeEndObject();
  }

  /** Most heap in use, with what was not yet collected. */
  private static long peakHeap() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getPeakUsage().getUsed())
        .sum();
  }

  /** Most memory of the process, where the system tells; 0 elsewhere. */
  private static long peakResident() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
