package org.alfamix.select;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.io.AtomicFiles;
import org.alfamix.io.table.JsonRecords;
import org.alfamix.math.Kernels;
import org.alfamix.mix.MixStatistics;
import org.alfamix.select.InputFiles.InputFile;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Selection;

/**
 * Records how a batch was computed, as JSON: files and their digests, strategy, options, seed,
 * versions, time and memory.
 *
 * @param version the version of alfamix
 * @param query the SQL query of the embeddings, or null
 * @param perClassCap the maximum number of picks of one predicted class, or null
 * @param threads number of threads
 * @param statistics statistics of mixing, if the strategy mixes
 * @param seconds time of reading, of writing and in total, beside the times that the batch has
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

  /** The fields of the file. */
  private record Content(
      String version,
      String java,
      String system,
      String kernels,
      int threads,
      List<Input> inputs,
      Optional<String> embeddingsSql,
      Optional<String> embeddingsSqlSha256,
      Optional<String> featuresSha256,
      Sizes sizes,
      String strategy,
      Map<String, Object> options,
      int budget,
      long seed,
      boolean normalized,
      Optional<Integer> perClassCap,
      Optional<List<String>> classNames,
      Optional<String> remark,
      int picks,
      Optional<Integer> candidates,
      Optional<Double> cap,
      Optional<Integer> toppedUp,
      Map<String, Object> notes,
      Optional<Mixing> mixing,
      Map<String, Object> seconds,
      ManifestValues.Memory memory) {}

  private record Input(String role, String path, long bytes, String sha256) {}

  private record Sizes(
      int pool, int labelled, int excluded, int unlabelled, int features, int classes) {}

  private record Mixing(
      List<AtCap> caps,
      int measured,
      double alphaMean,
      double alphaMeanDeviation,
      double alphaDeviation) {}

  private record AtCap(double cap, int flipped, int[] flippedByAnchor) {}

  /** Writes the file as one of several that appear together. */
  public void write(Path file, AtomicFiles files) {
    files.write(file, out -> JsonRecords.write(content(), out));
  }

  private Content content() {
    BatchRequest request = batch.request();
    Optional<Selection> selection = batch.selection();
    return new Content(
        version,
        System.getProperty("java.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        Kernels.description(),
        threads,
        inputs.stream()
            .map(file -> new Input(file.role(), "" + file.path(), file.bytes(), file.sha256()))
            .toList(),
        Optional.ofNullable(query),
        Optional.ofNullable(query).map(sql -> batch.pool().sha256()),
        // Features of texts depend on the encoder; the digest identifies both.
        batch.pool().hasTexts() ? Optional.of(batch.pool().sha256()) : Optional.empty(),
        new Sizes(
            batch.pool().size(),
            batch.scope().labelled(),
            excluded,
            batch.scope().eligible().length,
            batch.pool().features(),
            batch.scope().classes()),
        request.strategy(),
        ManifestValues.typed(request.options()),
        request.budget(),
        request.seed(),
        normalized,
        Optional.ofNullable(perClassCap),
        Optional.ofNullable(batch.list().classNames()),
        Optional.ofNullable(batch.remark()),
        batch.picks().size(),
        selection.map(Selection::candidates),
        selection.map(any -> batch.mixing().map(MixDiagnostics::cap).orElse(Double.NaN)),
        selection.map(any -> batch.randomPicks()),
        ManifestValues.typed(selection.map(Selection::notes).orElse(Map.of())),
        statistics.map(Manifest::mixing),
        secondsWithPhases(),
        ManifestValues.Memory.ofThisProcess());
  }

  private static Mixing mixing(MixStatistics statistics) {
    return new Mixing(
        statistics.caps().stream()
            .map(at -> new AtCap(at.cap(), at.flipped(), at.perAnchor()))
            .toList(),
        statistics.measured(),
        statistics.alphaMean(),
        statistics.alphaMeanDeviation(),
        statistics.alphaDeviation());
  }

  private Map<String, Object> secondsWithPhases() {
    Map<String, Object> all = new LinkedHashMap<>();
    ManifestValues.rounded(seconds)
        .forEach(
            (name, taken) -> {
              all.put(name, taken);
              if (name.equals("select")) {
                all.put(
                    "phases",
                    ManifestValues.rounded(
                        batch.selection().map(Selection::seconds).orElse(Map.of())));
              }
            });
    return all;
  }
}
