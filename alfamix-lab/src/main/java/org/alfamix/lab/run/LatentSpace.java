package org.alfamix.lab.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.alfamix.datasets.Dataset;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.lab.setting.Setting;
import org.alfamix.learn.Learner;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.projection.Pca;
import org.alfamix.projection.Tsne;

/**
 * A two-dimensional map of the embeddings of the network of round 0. It is the same for all methods
 * of a seed, so that their picks can be compared.
 *
 * @param seed the seed of the network
 * @param asked the requested number of items
 * @param items rows of the pool: all labelled and picked ones, and a random sample of the others
 * @param classes the true class of each item
 * @param pca two coordinates of each item, by principal components
 * @param tsne two coordinates of each item, by t-SNE
 */
public record LatentSpace(
    long seed,
    int asked,
    int[] items,
    int[] classes,
    List<String> classNames,
    double[][] pca,
    double[][] tsne) {
  private static final int SAMPLE = 4;

  static Path file(Path results, Setting setting, long seed) {
    return results.resolve(setting.name()).resolve("latent-seed-" + seed + ".json");
  }

  /** Returns whether a file has the name of such a map. */
  public static boolean isFile(Path file) {
    return file.getFileName().toString().matches("latent-seed-\\d{1,18}\\.json");
  }

  /** Trains the network of round 0 again and projects its embeddings of some items. */
  static LatentSpace of(
      RunLoop loop, Dataset data, Setting setting, long seed, List<Round> firstRounds) {
    int[] initial = firstRounds.get(0).labelled();
    Set<Integer> chosen = new LinkedHashSet<>();
    Arrays.stream(initial).forEach(chosen::add);
    firstRounds.forEach(round -> Arrays.stream(picks(round)).forEach(chosen::add));
    int[] known = data.labelledItems();
    int[] order = RandomIndices.distinct(known.length, known.length, Seeds.at(seed, SAMPLE, 0));
    for (int at = 0; at < order.length && chosen.size() < setting.latentItems(); at++) {
      chosen.add(known[order[at]]);
    }
    int[] items = chosen.stream().mapToInt(Integer::intValue).sorted().toArray();
    try (Learner learner = loop.learner(seed)) {
      loop.fit(learner, initial);
      FloatMatrix embeddings = learner.embed(data.pool().inputs(), items);
      FloatMatrix shown = embeddings.copy();
      Kernels.normalizeRows(shown); // like the methods, which compare directions
      return new LatentSpace(
          seed,
          setting.latentItems(),
          items,
          data.pool().labelsOf(items),
          data.classNames(),
          Pca.plane(embeddings),
          Tsne.plane(shown, Tsne.Options.DEFAULT));
    }
  }

  private static int[] picks(Round round) {
    return round.query().map(Round.Query::picks).orElse(new int[0]);
  }

  /** Returns whether the map has the requested size and all labelled and picked items. */
  boolean covers(List<Round> firstRounds, int wanted) {
    Set<Integer> present = Arrays.stream(items).boxed().collect(Collectors.toSet());
    return asked == wanted
        && firstRounds.stream()
            .allMatch(
                round ->
                    Arrays.stream(round.labelled()).allMatch(present::contains)
                        && Arrays.stream(picks(round)).allMatch(present::contains));
  }

  void write(Path path) {
    AtomicFile.write(path, this::write);
  }

  private void write(OutputStream out) throws IOException {
    try (JsonGenerator json =
        new JsonFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      json.writeStartObject();
      json.writeStringField("seed", Long.toString(seed));
      json.writeNumberField("asked", asked);
      json.writeFieldName("classNames");
      json.writeArray(classNames.toArray(String[]::new), 0, classNames.size());
      json.writeArrayFieldStart("items");
      for (int i = 0; i < items.length; i++) {
        json.writeRaw('\n');
        json.writeStartObject();
        json.writeNumberField("item", items[i]);
        json.writeNumberField("class", classes[i]);
        json.writeFieldName("pca");
        json.writeArray(pca[i], 0, 2);
        json.writeFieldName("tsne");
        json.writeArray(tsne[i], 0, 2);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }

  /** Reads a map; empty if it is missing or broken, because it can be computed again. */
  public static Optional<LatentSpace> read(Path path) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      JsonTree json = JsonTree.read(path);
      List<JsonTree> each = json.get("items").list();
      List<String> names = json.get("classNames").list().stream().map(JsonTree::text).toList();
      return Optional.of(
          new LatentSpace(
              json.get("seed").longInteger(),
              json.get("asked").integer(),
              each.stream().mapToInt(item -> item.get("item").integer()).toArray(),
              each.stream()
                  .mapToInt(item -> (int) item.get("class").require(0, names.size() - 1))
                  .toArray(),
              names,
              plane(each, "pca"),
              plane(each, "tsne")));
    } catch (DataException e) {
      return Optional.empty();
    }
  }

  private static double[][] plane(List<JsonTree> items, String key) {
    return items.stream()
        .map(item -> item.get(key).list())
        .map(
            point -> {
              if (point.size() != 2) {
                throw new DataException(
                    "A point must have two coordinates, found " + point.size() + ".");
              }
              return point.stream().mapToDouble(JsonTree::number).toArray();
            })
        .toArray(double[][]::new);
  }
}
