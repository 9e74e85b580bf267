package org.alfamix.spark.command;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.alfamix.command.SelectRequest;
import org.alfamix.command.Version;
import org.alfamix.io.AtomicFiles;
import org.alfamix.io.table.JsonRecords;
import org.alfamix.math.Kernels;
import org.alfamix.select.ManifestValues;
import org.alfamix.spark.SparkBatch;
import org.apache.spark.sql.SparkSession;

/** Records how a batch was computed on a cluster, as JSON. */
record SparkManifest(
    SparkSession spark,
    SelectRequest request,
    String embeddings,
    String sql,
    SparkBatch batch,
    Map<String, Double> seconds) {

  /** The fields of the file. */
  private record Content(
      String version,
      String java,
      String spark,
      String master,
      int cores,
      String kernels,
      String embeddings,
      String embeddingsSql,
      String strategy,
      Map<String, Object> options,
      int budget,
      long seed,
      boolean normalized,
      long unlabelled,
      long labelled,
      long skipped,
      long candidates,
      double cap,
      int toppedUp,
      long broadcastBytes,
      Optional<String> remark,
      Map<String, Object> notes,
      double kernelSeconds,
      Map<String, Object> seconds,
      ManifestValues.Memory memory) {}

  /** Writes the file as one of several that appear together. */
  void write(Path file, AtomicFiles files) {
    files.write(file, out -> JsonRecords.write(content(), out));
  }

  private Content content() {
    return new Content(
        Version.number(),
        System.getProperty("java.version"),
        spark.version(),
        spark.sparkContext().master(),
        spark.sparkContext().defaultParallelism(),
        Kernels.description(),
        embeddings,
        sql,
        request.strategy(),
        ManifestValues.typed(request.options()),
        request.budget(),
        request.seed(),
        request.normalize(),
        batch.unlabelled(),
        batch.labelled(),
        batch.skipped(),
        batch.candidates(),
        batch.cap(),
        batch.toppedUp(),
        batch.broadcastBytes(),
        Optional.ofNullable(batch.remark()),
        ManifestValues.typed(batch.notes()),
        batch.kernelSeconds(),
        ManifestValues.rounded(seconds),
        ManifestValues.Memory.ofThisProcess());
  }
}
