package org.alfamix.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.model.LinearHead;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Option;

/** Parameters of {@link BatchSelector}, with their defaults and checks. */
public abstract class BatchSelectorParams extends Transformer {
  private static final long serialVersionUID = 1;

  /** The strategies of alfamix that run on a cluster. */
  public static final List<String> STRATEGIES =
      List.of("alfamix", "random", "entropy", "least-confidence", "margin", "badge", "coreset");

  private final String uid;
  final Param<String> strategy;
  final StringArrayParam options;
  final IntParam budget;
  final LongParam seed;
  final Param<String> idCol;
  final Param<String> embeddingCol;
  final Param<String> labelCol;
  final Param<Dataset<Row>> labelled;
  final Param<Dataset<Row>> excluded;
  final HeadParam head;
  final StringArrayParam classNames;
  final BooleanParam normalize;
  final Param<String> badRows;
  final LongParam driverBytes;
  final Param<String> clustering;

  BatchSelectorParams(String uid) {
    this.uid = uid;
    strategy = new Param<>(this, "strategy", "the strategy: " + String.join(", ", STRATEGIES));
    options = new StringArrayParam(this, "options", "options of the strategy, as key=value");
    budget = new IntParam(this, "budget", "number of items to select", ParamValidators.gt(0));
    seed = new LongParam(this, "seed", "the random seed");
    idCol = new Param<>(this, "idCol", "column of ids: text or integers");
    embeddingCol =
        new Param<>(
            this, "embeddingCol", "column of embeddings: array<float>, array<double> or a vector");
    labelCol =
        new Param<>(
            this, "labelCol", "column of labels; null, NaN or negative for unlabelled items");
    labelled = new Param<>(this, "labelled", "the labelled items, if they are a separate table");
    excluded = new Param<>(this, "excluded", "table of ids that must not be picked");
    head = new HeadParam(this, "head", "last layer of the model; fitted to the labels if not set");
    classNames =
        new StringArrayParam(this, "classNames", "names of the classes, in the order of the head");
    normalize = new BooleanParam(this, "normalize", "whether to scale embeddings to unit length");
    badRows = new Param<>(this, "badRows", "invalid rows: fail, or skip and count them");
    driverBytes =
        new LongParam(
            this,
            "driverBytes",
            "maximum size of embeddings on the driver, in bytes; 0 for an eighth of its heap",
            ParamValidators.gtEq(0));
    clustering =
        new Param<>(
            this,
            "clustering",
            "clustering of more candidates than the driver holds: sample (the engine's k-means on a"
                + " random sample) or mllib (k-means|| on the cluster)");
    setDefault(strategy, "alfamix");
    setDefault(options, new String[0]);
    setDefault(budget, 100);
    setDefault(seed, 1L);
    setDefault(idCol, "id");
    setDefault(embeddingCol, "embedding");
    setDefault(normalize, false);
    setDefault(badRows, "fail");
    setDefault(driverBytes, 0L);
    setDefault(clustering, "sample");
  }

  @Override
  public final String uid() {
    return uid;
  }

  public final Param<String> strategy() {
    return strategy;
  }

  public final StringArrayParam options() {
    return options;
  }

  public final IntParam budget() {
    return budget;
  }

  public final LongParam seed() {
    return seed;
  }

  public final Param<String> idCol() {
    return idCol;
  }

  public final Param<String> embeddingCol() {
    return embeddingCol;
  }

  public final Param<String> labelCol() {
    return labelCol;
  }

  public final Param<Dataset<Row>> labelled() {
    return labelled;
  }

  public final Param<Dataset<Row>> excluded() {
    return excluded;
  }

  public final Param<LinearHead> head() {
    return head;
  }

  public final StringArrayParam classNames() {
    return classNames;
  }

  public final BooleanParam normalize() {
    return normalize;
  }

  public final Param<String> badRows() {
    return badRows;
  }

  public final LongParam driverBytes() {
    return driverBytes;
  }

  public final Param<String> clustering() {
    return clustering;
  }

  public final String getStrategy() {
    return $(strategy);
  }

  /** Returns the options of the strategy, as {@code key=value}. */
  public final String[] getOptions() {
    return $(options).clone();
  }

  public final int getBudget() {
    return (Integer) $(budget);
  }

  public final long getSeed() {
    return (Long) $(seed);
  }

  public final String getIdCol() {
    return $(idCol);
  }

  public final String getEmbeddingCol() {
    return $(embeddingCol);
  }

  /** Returns the column of labels; empty if it is not set. */
  public final Optional<String> getLabelCol() {
    return value(labelCol);
  }

  /** Returns the table of labelled items; empty if it is not set. */
  public final Optional<Dataset<Row>> getLabelled() {
    return value(labelled);
  }

  /** Returns the table of excluded ids; empty if it is not set. */
  public final Optional<Dataset<Row>> getExcluded() {
    return value(excluded);
  }

  /** Returns the last layer; empty if it is fitted. */
  public final Optional<LinearHead> getHead() {
    return value(head);
  }

  /** Returns the names of the classes; empty if they are not set. */
  public final Optional<List<String>> getClassNames() {
    return value(classNames).map(List::of);
  }

  public final boolean getNormalize() {
    return (Boolean) $(normalize);
  }

  public final String getBadRows() {
    return $(badRows);
  }

  public final long getDriverBytes() {
    return (Long) $(driverBytes);
  }

  public final String getClustering() {
    return $(clustering);
  }

  private <T> Optional<T> value(Param<T> param) {
    return isDefined(param) ? Optional.of($(param)) : Optional.empty();
  }

  /** Describes a parameter with its values; those of array type are listed. */
  @Override
  public String explainParam(Param<?> param) {
    List<String> values = new ArrayList<>();
    option(getDefault(param)).ifPresent(value -> values.add("default: " + text(value)));
    option(get(param)).ifPresent(value -> values.add("current: " + text(value)));
    String state = values.isEmpty() ? "undefined" : String.join(", ", values);
    return "%s: %s (%s)".formatted(param.name(), param.doc(), state);
  }

  private static Optional<Object> option(Option<?> value) {
    return value.isDefined() ? Optional.of(value.get()) : Optional.empty();
  }

  private static String text(Object value) {
    return value instanceof Object[] array ? Arrays.toString(array) : value.toString();
  }

  /**
   * Checks everything that can be checked without a table.
   *
   * @throws InvalidRequestException if a parameter is invalid
   */
  public final void checkRequest() {
    requireClusterStrategy();
    requireOneOf(badRows, List.of("fail", "skip"));
    requireOneOf(clustering, List.of("sample", "mllib"));
    method();
    if ($(strategy).equals("alfamix")) {
      AlfaMixJob.check(AlfaMix.ENTRY.read(optionMap()));
    }
  }

  /**
   * Accepts a strategy of alfamix that has been adapted to clusters, and any strategy of a plug-in
   * that scores items independently.
   */
  private void requireClusterStrategy() {
    if (STRATEGIES.contains($(strategy))) {
      return;
    }
    List<String> known = new ArrayList<>(STRATEGIES);
    for (StrategyEntry<?> entry : Strategies.all()) {
      if (!Strategies.builtIn().contains(entry) && runsOnCluster(entry.create())) {
        known.add(entry.name());
      }
    }
    requireOneOf(strategy, known);
  }

  private static boolean runsOnCluster(QueryStrategy plugin) {
    return plugin.ranks()
        && Set.of(Requirement.LABELLED, Requirement.HEAD, Requirement.PROBABILITIES)
            .containsAll(plugin.requirements());
  }

  private void requireOneOf(Param<String> param, List<String> known) {
    if (!known.contains($(param))) {
      throw new InvalidRequestException(
          param.name(),
          "is '%s'; expected one of %s.".formatted($(param), String.join(", ", known)));
    }
  }

  final Map<String, String> optionMap() {
    Map<String, String> result = new LinkedHashMap<>();
    for (String option : $(options)) {
      int at = option.indexOf('=');
      if (at < 1) {
        throw new InvalidRequestException(
            "The option '%s' has no value; expected key=value.".formatted(option));
      }
      result.put(option.substring(0, at), option.substring(at + 1));
    }
    return result;
  }

  final QueryStrategy method() {
    return Strategies.create($(strategy), optionMap());
  }
}
