package org.alfamix.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects the items of a table to label next, as a {@code Transformer} of MLlib. Rows with a label
 * are the training data, rows without one are the pool, and the result is the batch, in the order
 * in which it should be labelled.
 *
 * <pre>{@code
 * Dataset<Row> batch = new BatchSelector()
 *     .setLabelCol("label")
 *     .setBudget(1000)
 *     .transform(spark.read().parquet("pool"));
 * }</pre>
 *
 * <p>The picks are those of the local engine on the same items in the order of their ids,
 * regardless of the partitioning of the table. If the pool is too large for that, the notes of
 * {@link #select} report the approximations.
 *
 * <p>A selector can be saved and loaded, also as a stage of a {@code Pipeline}, with all parameters
 * except tables ({@code labelled}, {@code excluded}).
 */
public final class BatchSelector extends BatchSelectorParams implements DefaultParamsWritable {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(BatchSelector.class);

  /**
   * The fraction of the heap for embeddings, because k-means holds several copies of its points.
   */
  private static final int SHARE_OF_HEAP = 8;

  /** The size above which the engine's k-means would use a separate sample. */
  private static final long MAX_CLUSTERED_BYTES = Float.BYTES * (1L << 27);

  /** The maximum size of one array. */
  private static final long MAX_BYTES = Float.BYTES * (Integer.MAX_VALUE - 16L);

  public BatchSelector() {
    this(Identifiable$.MODULE$.randomUID("batchSelector"));
  }

  /** Creates a selector with a given uid, which MLlib needs to copy stages. */
  public BatchSelector(String uid) {
    super(uid);
  }

  public BatchSelector setStrategy(String name) {
    return (BatchSelector) set(strategy, name);
  }

  /** Sets an option of the strategy, by its name in {@code alfamix strategies}. */
  public BatchSelector setOption(String key, String value) {
    List<String> all = new ArrayList<>(List.of($(options)));
    all.removeIf(each -> each.startsWith(key + "="));
    all.add(key + "=" + value);
    return (BatchSelector) set(options, all.toArray(new String[0]));
  }

  public BatchSelector setBudget(int value) {
    return (BatchSelector) set(budget, value);
  }

  public BatchSelector setSeed(long value) {
    return (BatchSelector) set(seed, value);
  }

  public BatchSelector setIdCol(String name) {
    return (BatchSelector) set(idCol, name);
  }

  public BatchSelector setEmbeddingCol(String name) {
    return (BatchSelector) set(embeddingCol, name);
  }

  public BatchSelector setLabelCol(String name) {
    return (BatchSelector) set(labelCol, name);
  }

  /**
   * Sets the labelled items as a separate table, with the columns of the pool and {@code labelCol}.
   * The pool then does not contain them and needs no label column.
   */
  public BatchSelector setLabelled(Dataset<Row> table) {
    return (BatchSelector) set(labelled, table);
  }

  /**
   * Sets a table with the column {@code idCol}: items that must not be picked but may be used for
   * training.
   */
  public BatchSelector setExcluded(Dataset<Row> ids) {
    return (BatchSelector) set(excluded, ids);
  }

  public BatchSelector setHead(LinearHead layer) {
    return (BatchSelector) set(head, layer);
  }

  /**
   * Sets the last layer as a matrix and a vector of MLlib.
   *
   * @param weights classes × features
   */
  public BatchSelector setHead(Matrix weights, Vector bias) {
    FloatMatrix floats = FloatMatrix.zeros(weights.numRows(), weights.numCols());
    for (int k = 0; k < floats.rows(); k++) {
      for (int d = 0; d < floats.columns(); d++) {
        floats.set(k, d, (float) weights.apply(k, d));
      }
    }
    float[] offsets = new float[bias.size()];
    for (int k = 0; k < offsets.length; k++) {
      offsets[k] = (float) bias.apply(k);
    }
    return setHead(new LinearHead(floats, offsets));
  }

  /** Sets a logistic regression of MLlib; a binary one is split into two classes with ±w/2. */
  public BatchSelector setHead(LogisticRegressionModel model) {
    if (model.coefficientMatrix().numRows() > 1) {
      return setHead(model.coefficientMatrix(), model.interceptVector());
    }
    FloatMatrix weights = FloatMatrix.zeros(2, model.numFeatures());
    for (int d = 0; d < weights.columns(); d++) {
      float half = (float) (model.coefficientMatrix().apply(0, d) / 2);
      weights.set(0, d, -half);
      weights.set(1, d, half);
    }
    float half = (float) (model.interceptVector().apply(0) / 2);
    return setHead(new LinearHead(weights, new float[] {-half, half}));
  }

  public BatchSelector setClassNames(String... names) {
    return (BatchSelector) set(classNames, names);
  }

  public BatchSelector setNormalize(boolean value) {
    return (BatchSelector) set(normalize, value);
  }

  /** Sets the handling of invalid rows: {@code fail} or {@code skip}. */
  public BatchSelector setBadRows(String policy) {
    return (BatchSelector) set(badRows, policy);
  }

  public BatchSelector setDriverBytes(long bytes) {
    return (BatchSelector) set(driverBytes, bytes);
  }

  /** Sets how to cluster more candidates than the driver holds: {@code sample} or {@code mllib}. */
  public BatchSelector setClustering(String method) {
    return (BatchSelector) set(clustering, method);
  }

  @Override
  public BatchSelector copy(ParamMap extra) {
    return defaultCopy(extra);
  }

  /**
   * Returns a writer of the parameters.
   *
   * @throws InvalidRequestException if a table is set, which cannot be saved
   */
  @Override
  public MLWriter write() {
    for (Param<?> table : List.of(labelled, excluded)) {
      if (isDefined(table)) {
        throw new InvalidRequestException(
            table.name(), "is a table, which cannot be saved; clear it and set it after loading.");
      }
    }
    return DefaultParamsWritable.super.write();
  }

  /** Returns a reader of saved selectors; {@code Pipeline} finds it by its name. */
  public static MLReader<BatchSelector> read() {
    return new DefaultParamsReader<>();
  }

  /** Reads a saved selector. */
  public static BatchSelector load(String path) {
    return read().load(path);
  }

  /**
   * Checks everything that can be checked before a row is read.
   *
   * @throws InvalidRequestException if a parameter or a column is invalid
   */
  @Override
  public StructType transformSchema(StructType schema) {
    checkRequest();
    PoolTable.check(schema, columns(List.of(schema.fieldNames())));
    if (isDefined(labelled)) {
      if (!isDefined(labelCol)) {
        throw new InvalidRequestException(
            "labelled is set, but labelCol is not; set labelCol to the column of labels.");
      }
      StructType other = $(labelled).schema();
      PoolTable.check(other, columns(List.of($(labelCol))));
    }
    return new StructType()
        .add("id", schema.apply($(idCol)).dataType(), false)
        .add("rank", DataTypes.IntegerType, false)
        .add("score", DataTypes.DoubleType, false)
        .add("cluster", DataTypes.IntegerType, true)
        .add("predicted", DataTypes.StringType, true)
        .add("reason", DataTypes.StringType, false);
  }

  /**
   * Returns the columns to read.
   *
   * @param names the columns of the table
   */
  private PoolTable.Columns columns(List<String> names) {
    boolean labels = isDefined(labelCol) && (!isDefined(labelled) || names.contains($(labelCol)));
    return new PoolTable.Columns($(idCol), $(embeddingCol), labels ? $(labelCol) : null);
  }

  private PoolTable table(Dataset<?> dataset) {
    return new PoolTable(
        dataset,
        columns(List.of(dataset.columns())),
        (Boolean) $(normalize),
        isDefined(excluded) ? $(excluded) : null);
  }

  /** Returns only the batch; see {@link #select}. */
  @Override
  public Dataset<Row> transform(Dataset<?> dataset) {
    SparkBatch batch = select(dataset);
    if (batch.skipped() > 0) {
      LOG.warn("{} rows were skipped: {}", batch.skipped(), batch.notes().get("skipped"));
    }
    if (batch.remark() != null) {
      LOG.info(batch.remark());
    }
    return batch.picks();
  }

  /** Selects the batch and reports how it was computed. */
  public SparkBatch select(Dataset<?> dataset) {
    StructType schema = transformSchema(dataset.schema());
    PoolTable table = table(dataset);
    LabelledModel known = labelledModel(table);
    ClusterQuery query = query(dataset, table, known);
    Outcome outcome = job(query);
    long skipped = outcome.totals().bad().count() + known.bad().count();
    if (skipped > 0) {
      outcome.note(
          "skipped", Outcome.capitalize(outcome.totals().bad().and(known.bad()).describe()));
    }
    if (known.seconds() > 0) {
      outcome.seconds("labelled", known.seconds());
    }
    return new SparkBatch(
        dataset.sparkSession().createDataFrame(rows(outcome, known.model(), schema), schema),
        outcome.totals().rows(),
        known.labelled(),
        skipped,
        outcome.candidates(),
        outcome.cap(),
        outcome.toppedUp(),
        known.remark(),
        outcome.notes(),
        outcome.seconds(),
        outcome.totals().nanos() / 1e9,
        known.model().bytes());
  }

  private ClusterQuery query(Dataset<?> dataset, PoolTable table, LabelledModel known) {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext());
    return new ClusterQuery(
        context,
        known.model(),
        table,
        (Integer) $(budget),
        $(badRows).equals("skip"),
        allowedBytes(context));
  }

  /**
   * Returns every candidate of ALFA-Mix at the final cap: id and flip_cap. A pass over the pool
   * finds the cap; a second one finds the rows when they are requested.
   */
  public Dataset<Row> candidates(Dataset<?> dataset) {
    if (!$(strategy).equals("alfamix")) {
      throw new InvalidRequestException(
          "Only alfamix has candidates; the strategy is %s.".formatted($(strategy)));
    }
    StructType schema =
        new StructType()
            .add(transformSchema(dataset.schema()).apply("id"))
            .add("flip_cap", DataTypes.DoubleType, false);
    PoolTable table = table(dataset);
    ClusterQuery query = query(dataset, table, labelledModel(table));
    return dataset.sparkSession().createDataFrame(AlfaMixJob.candidates(query, schema), schema);
  }

  private Outcome job(ClusterQuery query) {
    return switch ($(strategy)) {
      case "alfamix" -> new AlfaMixJob(query, new ClusterJob($(clustering).equals("mllib"))).run();
      case "random" -> RandomJob.run(query);
      case "badge" -> GreedyJob.run(query, BadgeJob::run);
      case "coreset" -> GreedyJob.run(query, CoreSetJob::run);
      default -> RankedJob.run(query);
    };
  }

  private long allowedBytes(JavaSparkContext context) {
    long given = (Long) $(driverBytes);
    if (given > 0) {
      return Math.min(given, MAX_BYTES);
    }
    long bytes = Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, MAX_CLUSTERED_BYTES);
    long results = context.getConf().getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return results == 0 ? bytes : Math.min(bytes, results / 4 * 3);
  }

  private LabelledModel labelledModel(PoolTable table) {
    return LabelledModel.of(
        new LabelledModel.Request(
            $(strategy),
            optionMap(),
            (Long) $(seed),
            isDefined(head) ? $(head) : null,
            isDefined(classNames) ? Arrays.asList($(classNames)) : null,
            isDefined(labelCol) ? $(labelCol) : null,
            $(badRows).equals("skip")),
        table,
        isDefined(labelled) ? table($(labelled)) : table);
  }

  private static List<Row> rows(Outcome outcome, SharedModel model, StructType schema) {
    List<Row> rows = new ArrayList<>();
    for (Outcome.Item item : outcome.picks()) {
      rows.add(
          RowFactory.create(
              toColumnType(schema, item.id()),
              rows.size() + 1,
              item.pick().score(),
              item.pick().cluster() < 0 ? null : item.pick().cluster(),
              model.className(item.pick().predicted()),
              item.pick().reason()));
    }
    return rows;
  }

  /** Converts an id to the type of its column. */
  static Object toColumnType(StructType schema, Comparable<?> id) {
    if (!(id instanceof Long number)) {
      return id;
    }
    return switch (schema.apply("id").dataType().typeName()) {
      case "integer" -> number.intValue();
      case "short" -> number.shortValue();
      case "byte" -> number.byteValue();
      default -> number;
    };
  }
}
