package org.alfamix.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.command.DataFolder;
import org.alfamix.command.SelectRequest;
import org.alfamix.datasets.ListedTexts;
import org.alfamix.io.DataException;
import org.alfamix.io.array.ArrayBundle;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.NumericArray;
import org.alfamix.learn.embed.EncoderOptions;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.Exclusions;
import org.alfamix.select.HeadReader;
import org.alfamix.select.InputFiles;
import org.alfamix.select.Labels;
import org.alfamix.select.Pool;
import org.alfamix.select.PoolReader;
import org.alfamix.select.Query;
import org.alfamix.strategy.ConfiguredStrategy;
import org.alfamix.strategy.Requirement;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The input files of a selection. Reading them returns a query. */
final class SelectInputs {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Source source;

  /** The source of the pool. */
  static final class Source {
    @Option(
        names = "--embeddings",
        paramLabel = "PATH",
        description =
            "The pool: a .npy, .npz, .parquet, .csv, .tsv or .jsonl file, a quoted glob pattern of"
                + " such files, or a folder of .npy, .npz or .parquet files. Files are read in the"
                + " order of their names.")
    private String location;

    @Option(
        names = "--embeddings-sql",
        paramLabel = "SQL",
        description =
            "The pool as a DuckDB query, for example SELECT id, embedding FROM 'pool/*.parquet'.")
    private String sql;

    @Option(
        names = "--texts",
        paramLabel = "PATH",
        description =
            "A pool of texts: a table with a column of texts, a .txt file with a text per line, or"
                + " a folder of .txt files. Their features are computed. With --label-column, the"
                + " table also has the labels.")
    private Path texts;
  }

  @Option(
      names = "--text-column",
      paramLabel = "NAME",
      description = "The column with the texts (default: a usual name, such as text or body).")
  private String textColumn;

  @Option(
      names = "--features",
      paramLabel = "NAME",
      description =
          "The features of texts: minilm, ngrams, or a folder with model.onnx and tokenizer.json"
              + " (default: minilm).")
  private String features;

  @Mixin private DataFolder dataFolder;

  @Option(
      names = "--array",
      paramLabel = "NAME",
      description = "The array to read from an .npz file with several two-dimensional arrays.")
  private String array;

  @Option(
      names = "--probabilities",
      paramLabel = "FILE",
      description = "Class probabilities of the pool: items x classes, as .npy or .npz.")
  private Path probabilities;

  @Option(
      names = "--dropout-probabilities",
      paramLabel = "FILE",
      description =
          "Class probabilities under dropout: samples x items x classes, as .npy or .npz.")
  private Path dropoutProbabilities;

  private List<Path> poolFiles = List.of();

  /**
   * A query with the size of its pool.
   *
   * @param excluded number of items that must not be picked
   */
  record Reading(Query query, int poolSize, int excluded) {}

  /** Returns the files of the pool and of probabilities; stores the former for {@link #read}. */
  List<Path> resolve() {
    if (source.texts == null && (textColumn != null || features != null)) {
      throw new ParameterException(
          spec.commandLine(), "--text-column and --features apply only to --texts.");
    }
    if (source.texts != null) {
      poolFiles = ListedTexts.files(source.texts);
    } else {
      poolFiles = source.location == null ? List.of() : PoolReader.files(source.location);
    }
    List<Path> all = new ArrayList<>(poolFiles);
    Stream.of(probabilities, dropoutProbabilities).filter(Objects::nonNull).forEach(all::add);
    return all;
  }

  /** Returns the name of the pool for the progress line. */
  String description() {
    return source.texts != null
        ? source.texts.toString()
        : source.sql == null ? source.location : "SQL query";
  }

  /** Returns the SQL query for the embeddings; null if they are read from files. */
  String sql() {
    return source.sql;
  }

  /**
   * Reads all files.
   *
   * @param explain IDs of items to explain
   * @param digests collects digests of the files, if they are needed
   * @param rowsRead counts the rows that the selection reads
   * @param notes receives notes for the user
   */
  Reading read(
      SelectRequest request,
      ConfiguredStrategy strategy,
      List<String> explain,
      Optional<InputFiles> digests,
      LongAdder rowsRead,
      Consumer<String> notes) {
    PoolReader reader =
        new PoolReader(
            array, request.embeddingColumn(), request.idColumn(), PoolReader.defaultMaxBytes());
    Pool pool;
    Labels labels = null;
    if (source.texts != null) {
      poolFiles.forEach(file -> digest(digests, "texts", file));
      ListedTexts texts = texts(request);
      pool = pool(texts, notes);
      labels = labels(texts);
    } else if (source.sql != null) {
      pool = reader.query(source.sql);
    } else {
      poolFiles.forEach(file -> digest(digests, "embeddings", file));
      PoolReader.unexpectedOrder(poolFiles).ifPresent(notes);
      pool = reader.read(source.location, poolFiles);
    }
    Query query =
        Query.of(pool)
            .strategy(strategy)
            .budget(request.budget())
            .seed(request.seed())
            .normalize(request.normalize())
            .countRowsRead(rowsRead);
    if (labels != null) {
      query.labels(labels);
    }
    if (request.labelsFile() != null) {
      digest(digests, "labels", request.labelsFile());
      query.labels(
          Labels.read(request.labelsFile(), pool, request.labelIdColumn(), request.labelColumn()));
    }
    readHead(request, query, pool, digests, notes);
    if (request.classes() != null) {
      Path file = Path.of(request.classes());
      // The option also accepts the names themselves.
      digest(digests, "classes", Files.isRegularFile(file) ? file : null);
      query.classNames(request.classNames());
    }
    readProbabilities(request, strategy, query, digests, notes);
    int excluded = exclude(request, query, pool, digests, notes);
    query.explain(explain.stream().mapToInt(id -> row(pool, id)).toArray());
    return new Reading(query, pool.size(), excluded);
  }

  /** Reads the texts, with their labels unless these are in a file of their own. */
  private ListedTexts texts(SelectRequest request) {
    String label = request.labelsFile() == null ? request.labelColumn() : null;
    return ListedTexts.read(
        source.texts, new ListedTexts.Columns(textColumn, request.idColumn(), label));
  }

  private Pool pool(ListedTexts texts, Consumer<String> notes) {
    String name = Objects.requireNonNullElse(features, TextFeatures.DEFAULT);
    FloatMatrix embeddings =
        new TextFeatures(
                dataFolder.path(), TextFeatures.withAbsolutePath(name), EncoderOptions.DEFAULT)
            .of(texts.inputs(), new ReadingProgress(spec.commandLine().getErr(), notes));
    IntFunction<String> id = texts.inputs()::id;
    IntFunction<String> text = texts.inputs()::text;
    return Pool.of(
        embeddings,
        IntStream.range(0, embeddings.rows()).mapToObj(id).toList(),
        IntStream.range(0, embeddings.rows()).mapToObj(text).toList());
  }

  /** Returns the labels in the table of the texts; null if there are none. */
  private Labels labels(ListedTexts texts) {
    List<String> labels = texts.labels();
    int[] rows = IntStream.range(0, labels.size()).filter(i -> labels.get(i) != null).toArray();
    return rows.length == 0
        ? null
        : Labels.of(
            source.texts.toString(), rows, Arrays.stream(rows).mapToObj(labels::get).toList());
  }

  private void readProbabilities(
      SelectRequest request,
      ConfiguredStrategy strategy,
      Query query,
      Optional<InputFiles> digests,
      Consumer<String> notes) {
    if (probabilities != null) {
      digest(digests, "probabilities", probabilities);
      query.probabilities(numbers(probabilities));
      if (!strategy.strategy().requirements().contains(Requirement.PROBABILITIES)) {
        notes.accept(
            request.strategy()
                + " does not select by --probabilities; they are only used as"
                + " predictions.");
      }
    }
    if (dropoutProbabilities != null) {
      digest(digests, "dropout-probabilities", dropoutProbabilities);
      query.dropoutProbabilities(numbers(dropoutProbabilities));
    }
  }

  private static int exclude(
      SelectRequest request,
      Query query,
      Pool pool,
      Optional<InputFiles> digests,
      Consumer<String> notes) {
    if (request.exclude() == null) {
      return 0;
    }
    digest(digests, "exclude", request.exclude());
    Exclusions exclusions = Exclusions.read(request.exclude(), pool, request.idColumn());
    query.exclude(exclusions.rows());
    if (exclusions.unknown() > 0) {
      notes.accept(
          "%d ids of %s are not in the pool.".formatted(exclusions.unknown(), request.exclude()));
    }
    return exclusions.rows().length;
  }

  private static void readHead(
      SelectRequest request,
      Query query,
      Pool pool,
      Optional<InputFiles> digests,
      Consumer<String> notes) {
    HeadReader.Reading reading = request.readHead(pool::features);
    digest(digests, "head", request.headFile());
    digest(digests, "head-weight", request.headWeight());
    digest(digests, "head-bias", request.headBias());
    if (reading == null) {
      return;
    }
    query.head(reading.head());
    if (request.classes() == null && reading.classNames() != null) {
      query.classNames(reading.classNames());
    }
    if (reading.remark() != null) {
      notes.accept(reading.remark());
    }
  }

  private int row(Pool pool, String id) {
    return pool.row(id)
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "--explain: the pool has no item '" + id + "'."));
  }

  private static void digest(Optional<InputFiles> digests, String role, Path file) {
    if (file != null && Files.exists(file)) {
      digests.ifPresent(all -> all.add(role, file));
    }
  }

  private static NumericArray numbers(Path file) {
    if (file.getFileName().toString().endsWith(".npy")) {
      return Npy.open(file);
    }
    ArrayBundle bundle = ArrayBundle.open(file);
    if (bundle.names().size() != 1) {
      throw new DataException(
          "%s: expected one array, found %s; save the array as .npy."
              .formatted(file, String.join(", ", bundle.names())));
    }
    return bundle.array(bundle.names().get(0));
  }
}
