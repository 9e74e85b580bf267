package org.alfamix.studio.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.embed.NgramFeatures;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.strategy.Strategies;

/**
 * The options of a project, which may be changed at any time.
 *
 * @param features input of the model: {@code fixed} (pixels, columns or given embeddings, under a
 *     logistic regression), published weights that compute features, the name of a network that is
 *     trained on the labels, features of texts or the folder of their encoder, or {@code auto}
 * @param strategy the query strategy
 * @param budget number of items of a batch
 * @param trainEvery number of labels between training runs; 0 to train when a batch is complete
 * @param testEvery one in this many items to label is a held-out item, for testing; 0 for none
 * @param leaseMinutes time for which an item is reserved for an annotator
 * @param seed seed of all random numbers
 */
public record ProjectOptions(
    String features,
    String strategy,
    int budget,
    int trainEvery,
    int testEvery,
    int leaseMinutes,
    long seed) {

  /** Pixels, columns or given embeddings. */
  public static final String FIXED = "fixed";

  /**
   * A small network for pictures larger than thumbnails, a pre-trained encoder for texts; otherwise
   * as {@link #FIXED}.
   */
  public static final String AUTO = "auto";

  /** The choices of features, by name. */
  public static final List<String> FEATURES =
      Stream.concat(
              Stream.of(AUTO, FIXED, "lenet5", "mlp", TextFeatures.MINILM, NgramFeatures.NAME),
              PublishedWeights.all().stream().map(PublishedWeights::name))
          .toList();

  public static final ProjectOptions DEFAULT = new ProjectOptions(AUTO, "alfamix", 20, 0, 5, 10, 1);

  private static final int MAX = 10_000;

  public ProjectOptions {
    if (!FEATURES.contains(features) && !TextFeatures.isAbsolutePath(features)) {
      throw new InvalidRequestException(
          "features",
          "is '%s', expected one of %s.".formatted(features, String.join(", ", FEATURES)));
    }
    Strategies.named(strategy);
    require("budget", budget, 1);
    require("trainEvery", trainEvery, 0);
    require("testEvery", testEvery, 0);
    require("leaseMinutes", leaseMinutes, 1);
    if (testEvery == 1) {
      throw new InvalidRequestException(
          "testEvery", "is 1: only held-out items would be labelled, and none used for training.");
    }
  }

  private static void require(String name, int value, int least) {
    if (value < least || value > MAX) {
      throw new InvalidRequestException(
          name, "is %d, expected %d to %d.".formatted(value, least, MAX));
    }
  }

  public String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("features", features);
      json.writeStringField("strategy", strategy);
      json.writeNumberField("budget", budget);
      json.writeNumberField("trainEvery", trainEvery);
      json.writeNumberField("testEvery", testEvery);
      json.writeNumberField("leaseMinutes", leaseMinutes);
      json.writeStringField("seed", Long.toString(seed));
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  public static ProjectOptions parse(String json) {
    JsonTree tree = JsonTree.parse("project options", json);
    return new ProjectOptions(
        tree.get("features").text(),
        tree.get("strategy").text(),
        tree.get("budget").integer(),
        tree.get("trainEvery").integer(),
        tree.get("testEvery").integer(),
        tree.get("leaseMinutes").integer(),
        tree.get("seed").longInteger());
  }
}
