package org.alfamix.spark.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.alfamix.command.SelectRequest;
import org.alfamix.command.Version;
import org.alfamix.io.AtomicFiles;
import org.alfamix.math.Kernels;
import org.alfamix.select.Manifest;
import org.alfamix.spark.SparkBatch;
import org.apache.spark.sql.SparkSession;

/** What made a batch on a cluster, as JSON. */
record SparkManifest(
    SparkSession spark,
    SelectRequest request,
    String embeddings,
    String sql,
    SparkBatch batch,
    Map<String, Double> seconds) {

  /** Writes the file, together with the others that appear with it. */
  void write(Path file, AtomicFiles files) {
    files.write(file, this::write);
  }

  private void write(OutputStream out) throws IOException {
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(new DefaultPrettyPrinter())) {
      json.writeStartObject();
      json.writeStringField("version", Version.number());
      json.writeStringField("java", System.getProperty("java.version"));
      json.writeStringField("spark", spark.version());
      json.writeStringField("master", spark.sparkContext().master());
      json.writeNumberField("cores", spark.sparkContext().defaultParallelism());
      json.writeStringField("kernels", Kernels.description());
      json.writeStringField("embeddings", embeddings);
      json.writeStringField("embeddingsSql", sql);
      json.writeStringField("strategy", request.strategy());
      json.writeObjectFieldStart("options");
      for (Map.Entry<String, String> option : request.options().entrySet()) {
        json.writeStringField(option.getKey(), option.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("budget", request.budget());
      json.writeNumberField("seed", request.seed());
      json.writeBooleanField("normalized", request.normalize());
      json.writeNumberField("unlabelled", batch.unlabelled());
      json.writeNumberField("labelled", batch.labelled());
      json.writeNumberField("skipped", batch.skipped());
      json.writeNumberField("candidates", batch.candidates());
      if (Double.isNaN(batch.cap())) {
        json.writeNullField("cap");
      } else {
        json.writeNumberField("cap", batch.cap());
      }
      json.writeNumberField("toppedUp", batch.toppedUp());
      json.writeNumberField("broadcastBytes", batch.broadcastBytes());
      if (batch.remark() != null) {
        json.writeStringField("remark", batch.remark());
      }
      json.writeObjectFieldStart("notes");
      for (Map.Entry<String, String> note : batch.notes().entrySet()) {
        json.writeStringField(note.getKey(), note.getValue());
      }
      json.writeEndObject();
      json.writeNumberField("kernelSeconds", batch.kernelSeconds());
      json.writeObjectFieldStart("seconds");
      for (Map.Entry<String, Double> entry : seconds.entrySet()) {
        json.writeNumberField(entry.getKey(), Math.round(entry.getValue() * 1e4) / 1e4);
      }
      json.writeEndObject();
      Manifest.writeMemory(json);
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }
}
