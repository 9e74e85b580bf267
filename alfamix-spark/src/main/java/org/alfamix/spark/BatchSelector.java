package org.alfamix.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.select.ClassNames;
import org.alfamix.select.KnownModel;
import org.alfamix.select.Labels;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Strategies;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Matrix;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses which items of a table are worth a label, in the shape of MLlib: rows with a label teach,
 * rows without one are the pool, and what comes out is the batch, in the order in which it should
 * be labelled.
 *
 * <pre>{@code
 * Dataset<Row> batch = new BatchSelector()
 *     .setLabelCol("label")
 *     .setBudget(1000)
 *     .transform(spark.read().parquet("pool"));
 * }</pre>
 *
 * <p>The picks are those of the local engine on the same items in the order of their ids, however
 * the table is partitioned. Where a pool is too large for that, the notes of {@link #select} say
 * what was approximated.
 */
public final class BatchSelector extends Transformer {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(BatchSelector.class);

  /** The methods there are on a cluster. */
  public static final List<String> STRATEGIES =
      List.of("alfamix", "random", "entropy", "least-confidence", "margin", "badge", "coreset");

  /** k-means holds its points a few times over. */
  private static final int SHARE_OF_HEAP = 8;

  /** Beyond so many values the engine's k-means would look at a sample of its own. */
  private static final long MOST_CLUSTERED_BYTES = Float.BYTES * (1L << 27);

  /** What one array holds. */
  private static final long MOST_BYTES = Float.BYTES * (Integer.MAX_VALUE - 16L);

  private final String uid;
  private final Param<String> strategy;
  private final StringArrayParam options;
  private final IntParam budget;
  private final LongParam seed;
  private final Param<String> idCol;
  private final Param<String> embeddingCol;
  private final Param<String> labelCol;
  private final Param<Dataset<Row>> labelled;
  private final Param<Dataset<Row>> excluded;
  private final Param<LinearHead> head;
  private final StringArrayParam classNames;
  private final BooleanParam normalize;
  private final Param<String> badRows;
  private final LongParam driverBytes;
  private final Param<String> clustering;

  public BatchSelector() {
    this(Identifiable$.MODULE$.randomUID("batchSelector"));
  }

  /** With a given uid, as MLlib copies its stages. */
  public BatchSelector(String uid) {
    this.uid = uid;
    strategy = new Param<>(this, "strategy", "the method: " + String.join(", ", STRATEGIES));
    options = new StringArrayParam(this, "options", "options of the method, as key=value");
    budget = new IntParam(this, "budget", "how many items are chosen", ParamValidators.gt(0));
    seed = new LongParam(this, "seed", "whatever is drawn follows from it");
    idCol = new Param<>(this, "idCol", "what an item is called by: text or whole numbers");
    embeddingCol =
        new Param<>(this, "embeddingCol", "the embedding: array<float>, array<double> or a vector");
    labelCol =
        new Param<>(this, "labelCol", "the class of an item; null, NaN or below 0: unlabelled");
    labelled =
        new Param<>(this, "labelled", "the labelled items, where they are a table of their own");
    excluded = new Param<>(this, "excluded", "a table of ids that are not to be picked");
    head = new Param<>(this, "head", "the model's last layer; without it one is fitted");
    classNames =
        new StringArrayParam(this, "classNames", "names of the classes, in the head's order");
    normalize = new BooleanParam(this, "normalize", "whether embeddings get unit length first");
    badRows = new Param<>(this, "badRows", "rows that are no items: fail, or skip and count them");
    driverBytes =
        new LongParam(
            this,
            "driverBytes",
            "bytes of embeddings that may come to the driver; 0: an eighth of its heap",
            ParamValidators.gtEq(0));
    clustering =
        new Param<>(
            this,
            "clustering",
            "of more candidates than the driver holds: sample (the engine's k-means on as many as"
                + " it holds) or mllib (k-means|| on the cluster)");
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
  public String uid() {
    return uid;
  }

  public Param<String> strategy() {
    return strategy;
  }

  public BatchSelector setStrategy(String name) {
    return (BatchSelector) set(strategy, name);
  }

  public StringArrayParam options() {
    return options;
  }

  /** An option of the method, by its name in {@code alfamix strategies}. */
  public BatchSelector setOption(String key, String value) {
    List<String> all = new ArrayList<>(List.of($(options)));
    all.removeIf(each -> each.startsWith(key + "="));
    all.add(key + "=" + value);
    return (BatchSelector) set(options, all.toArray(new String[0]));
  }

  public IntParam budget() {
    return budget;
  }

  public BatchSelector setBudget(int value) {
    return (BatchSelector) set(budget, value);
  }

  public LongParam seed() {
    return seed;
  }

  public BatchSelector setSeed(long value) {
    return (BatchSelector) set(seed, value);
  }

  public Param<String> idCol() {
    return idCol;
  }

  public BatchSelector setIdCol(String name) {
    return (BatchSelector) set(idCol, name);
  }

  public Param<String> embeddingCol() {
    return embeddingCol;
  }

  public BatchSelector setEmbeddingCol(String name) {
    return (BatchSelector) set(embeddingCol, name);
  }

  public Param<String> labelCol() {
    return labelCol;
  }

  public BatchSelector setLabelCol(String name) {
    return (BatchSelector) set(labelCol, name);
  }

  public Param<Dataset<Row>> labelled() {
    return labelled;
  }

  /**
   * The labelled items as a table of their own, with the columns of the pool and {@code labelCol}.
   * The pool is then without them, and needs no such column.
   */
  public BatchSelector setLabelled(Dataset<Row> table) {
    return (BatchSelector) set(labelled, table);
  }

  public Param<Dataset<Row>> excluded() {
    return excluded;
  }

  /** A table with the column {@code idCol}: items that are not to be picked, but may teach. */
  public BatchSelector setExcluded(Dataset<Row> ids) {
    return (BatchSelector) set(excluded, ids);
  }

  public Param<LinearHead> head() {
    return head;
  }

  public BatchSelector setHead(LinearHead layer) {
    return (BatchSelector) set(head, layer);
  }

  /**
   * The last layer as MLlib has it.
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

  /** A logistic regression of MLlib; one for two classes has half its weights on each side. */
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

  public StringArrayParam classNames() {
    return classNames;
  }

  public BatchSelector setClassNames(String... names) {
    return (BatchSelector) set(classNames, names);
  }

  public BooleanParam normalize() {
    return normalize;
  }

  public BatchSelector setNormalize(boolean value) {
    return (BatchSelector) set(normalize, value);
  }

  public Param<String> badRows() {
    return badRows;
  }

  /** {@code fail} or {@code skip}. */
  public BatchSelector setBadRows(String policy) {
    return (BatchSelector) set(badRows, policy);
  }

  public LongParam driverBytes() {
    return driverBytes;
  }

  public BatchSelector setDriverBytes(long bytes) {
    return (BatchSelector) set(driverBytes, bytes);
  }

  public Param<String> clustering() {
    return clustering;
  }

  /** {@code sample} or {@code mllib}. */
  public BatchSelector setClustering(String way) {
    return (BatchSelector) set(clustering, way);
  }

  @Override
  public BatchSelector copy(ParamMap extra) {
    return defaultCopy(extra);
  }

  /**
   * Checks everything that can be known before a row is read.
   *
   * @throws InvalidRequestException that says what was expected
   */
  @Override
  public StructType transformSchema(StructType schema) {
    checkRequest();
    PoolTable.check(schema, columns(List.of(schema.fieldNames())));
    if (isDefined(labelled)) {
      if (!isDefined(labelCol)) {
        throw new InvalidRequestException("labelled is given, but not labelCol.");
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
   * Checks what can be known without a table.
   *
   * @throws InvalidRequestException that says what was expected
   */
  public void checkRequest() {
    requireOneOf(strategy, STRATEGIES);
    requireOneOf(badRows, List.of("fail", "skip"));
    requireOneOf(clustering, List.of("sample", "mllib"));
    method();
    if ($(strategy).equals("alfamix")) {
      AlfaMixJob.check(AlfaMix.ENTRY.read(optionMap()));
    }
  }

  private void requireOneOf(Param<String> param, List<String> known) {
    if (!known.contains($(param))) {
      throw new InvalidRequestException(
          param.name(),
          "is '%s', expected one of %s.".formatted($(param), String.join(", ", known)));
    }
  }

  /**
   * Which columns to look at.
   *
   * @param names those of the table
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

  private Map<String, String> optionMap() {
    Map<String, String> result = new LinkedHashMap<>();
    for (String option : $(options)) {
      int at = option.indexOf('=');
      if (at < 1) {
        throw new InvalidRequestException(
            "The option '%s' has no value, expected key=value.".formatted(option));
      }
      result.put(option.substring(0, at), option.substring(at + 1));
    }
    return result;
  }

  private QueryStrategy method() {
    return Strategies.create($(strategy), optionMap());
  }

  /** The batch alone; see {@link #select}. */
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

  /** Chooses the batch, and tells how. */
  public SparkBatch select(Dataset<?> dataset) {
    StructType schema = transformSchema(dataset.schema());
    PoolTable table = table(dataset);
    Known known = known(table);
    Work work = work(dataset, table, known);
    Chosen chosen = job(work);
    long skipped = chosen.totals().bad().count() + known.bad().count();
    if (skipped > 0) {
      chosen.note("skipped", Chosen.sentence(chosen.totals().bad().and(known.bad()).describe()));
    }
    if (known.seconds() > 0) {
      chosen.seconds("labelled", known.seconds());
    }
    return new SparkBatch(
        dataset.sparkSession().createDataFrame(rows(chosen, known.model(), schema), schema),
        chosen.totals().rows(),
        known.labelled(),
        skipped,
        chosen.candidates(),
        chosen.cap(),
        chosen.toppedUp(),
        known.remark(),
        chosen.notes(),
        chosen.seconds(),
        chosen.totals().nanos() / 1e9,
        known.model().bytes());
  }

  private Work work(Dataset<?> dataset, PoolTable table, Known known) {
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext());
    return new Work(
        context,
        known.model(),
        table,
        (Integer) $(budget),
        $(badRows).equals("skip"),
        allowedBytes(context));
  }

  /**
   * Every candidate of ALFA-Mix at its final cap: id and flip_cap. A pass over the pool finds the
   * cap; another one finds the rows, when somebody asks for them.
   */
  public Dataset<Row> candidates(Dataset<?> dataset) {
    if (!$(strategy).equals("alfamix")) {
      throw new InvalidRequestException(
          "Only alfamix has candidates, %s has none.".formatted($(strategy)));
    }
    StructType schema =
        new StructType()
            .add(transformSchema(dataset.schema()).apply("id"))
            .add("flip_cap", DataTypes.DoubleType, false);
    PoolTable table = table(dataset);
    Work work = work(dataset, table, known(table));
    return dataset.sparkSession().createDataFrame(AlfaMixJob.candidates(work, schema), schema);
  }

  private Chosen job(Work work) {
    return switch ($(strategy)) {
      case "alfamix" -> new AlfaMixJob(work, new ClusterJob($(clustering).equals("mllib"))).run();
      case "random" -> RandomJob.run(work);
      case "badge" -> GreedyJob.run(work, BadgeJob::run);
      case "coreset" -> GreedyJob.run(work, CoreSetJob::run);
      default -> RankedJob.run(work);
    };
  }

  private long allowedBytes(JavaSparkContext context) {
    long given = (Long) $(driverBytes);
    if (given > 0) {
      return Math.min(given, MOST_BYTES);
    }
    long bytes = Math.min(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, MOST_CLUSTERED_BYTES);
    long results = context.getConf().getSizeAsBytes("spark.driver.maxResultSize", "1g");
    return results == 0 ? bytes : Math.min(bytes, results / 4 * 3);
  }

  /** What the labelled rows and the head tell. */
  private record Known(
      SharedModel model, int labelled, BadRows bad, String remark, double seconds) {}

  private Known known(PoolTable table) {
    long start = System.nanoTime();
    QueryStrategy method = method();
    LinearHead given = isDefined(head) ? $(head) : null;
    boolean labels = isDefined(labelCol);
    PoolTable teaching = isDefined(labelled) ? table($(labelled)) : table;
    PoolTable.Labelled taught =
        labels ? teaching.labelled(given == null ? 0 : given.features()) : null;
    BadRows bad = labels ? taught.bad() : BadRows.NONE;
    if (bad.count() > 0 && !$(badRows).equals("skip")) {
      throw new DataException(Chosen.sentence(bad.describe()));
    }
    int count = labels ? taught.labels().size() : 0;
    Labels said =
        count == 0
            ? Labels.none()
            : Labels.of("column " + $(labelCol), taught.ids(), taught.labels());
    KnownModel model =
        KnownModel.of(
            method,
            said,
            first -> count == 0 ? FloatMatrix.zeros(0, 0) : taught.rows().slice(0, first),
            new KnownModel.Given(
                given,
                isDefined(classNames) ? Arrays.asList($(classNames)) : null,
                given == null ? 0 : given.classes(),
                "the head",
                false,
                false));
    int features =
        given != null
            ? given.features()
            : count > 0 ? taught.rows().columns() : table.features($(badRows).equals("skip"));
    ClassNames classes = model.classes();
    SharedModel shared =
        new SharedModel(
            $(strategy),
            optionMap(),
            (Long) $(seed),
            model.head(),
            method.usesLabelled() && count > 0 ? model.labelled() : FloatMatrix.zeros(0, features),
            classes.labels(),
            classes.count(),
            classes.names());
    return new Known(shared, count, bad, model.remark(), (System.nanoTime() - start) / 1e9);
  }

  private static List<Row> rows(Chosen chosen, SharedModel model, StructType schema) {
    List<Row> rows = new ArrayList<>();
    for (Chosen.Item item : chosen.picks()) {
      rows.add(
          RowFactory.create(
              asIn(schema, item.id()),
              rows.size() + 1,
              item.pick().score(),
              item.pick().cluster() < 0 ? null : item.pick().cluster(),
              model.className(item.pick().predicted()),
              item.pick().reason()));
    }
    return rows;
  }

  /** An id with the type that its column had. */
  static Object asIn(StructType schema, Comparable<?> id) {
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
