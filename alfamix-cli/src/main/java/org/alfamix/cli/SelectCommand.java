package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.alfamix.data.DataException;
import org.alfamix.data.array.ArrayBundle;
import org.alfamix.data.array.Npy;
import org.alfamix.data.array.NumericArray;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Parallel;
import org.alfamix.query.AtomicFile;
import org.alfamix.query.Batch;
import org.alfamix.query.BatchFormat;
import org.alfamix.query.BatchWriter;
import org.alfamix.query.BatchWriter.LabelStudioTasks;
import org.alfamix.query.Exclusions;
import org.alfamix.query.HeadReader;
import org.alfamix.query.InputFiles;
import org.alfamix.query.Labels;
import org.alfamix.query.Manifest;
import org.alfamix.query.Pool;
import org.alfamix.query.PoolReader;
import org.alfamix.query.Query;
import org.alfamix.query.TextLines;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.Strategies;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The practitioner's command: from embeddings, labels and a head to the next items to label. */
@Command(
    name = "select",
    description = {"Choose the next items to label, from embeddings of any framework.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    footer = {
      "",
      "Examples:",
      "  alfamix select --embeddings pool.npy --labels labels.csv --head head.npz \\",
      "      --budget 100 --output picks.csv",
      "  alfamix select --embeddings pool.parquet --strategy coreset --budget 20",
      "",
      "Exit codes: 0 done, 2 wrong usage, 3 bad data, 4 out of a resource.",
      "The guide is docs/select.md."
    })
final class SelectCommand implements Callable<Integer> {
  private static final int MOST_THREADS = 1024;

  @Spec private CommandSpec spec;

  /** Where the pool comes from. */
  static final class Source {
    @Option(
        names = "--embeddings",
        paramLabel = "WHERE",
        description =
            "The pool: .npy, .npz, .parquet, .csv, .tsv or .jsonl; a folder or a quoted glob of"
                + " such arrays, read in the order of their names.")
    private String location;

    @Option(
        names = "--embeddings-sql",
        paramLabel = "SQL",
        description = "The pool as a DuckDB query: SELECT id, embedding FROM 'pool/*.parquet'.")
    private String sql;
  }

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(
      names = "--array",
      paramLabel = "NAME",
      description = "The array of an .npz to read, where it has several of two dimensions.")
  private String array;

  @Option(
      names = "--embedding-column",
      paramLabel = "NAME",
      description = "The column of a table with the embeddings (default: embedding, or f0, f1, …).")
  private String embeddingColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description = "The column of a table with the ids (default: id).")
  private String idColumn;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description =
          "What is labelled: a table (.csv, .tsv, .jsonl, .parquet) of id and label, an integer"
              + " .npy with -1 for unlabelled, or Label Studio's export (.json).")
  private Path labelsFile;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "The column with the labels (default: label).")
  private String labelColumn;

  @Option(
      names = "--label-id-column",
      paramLabel = "NAME",
      description = "The column of the labels with the ids (default: id).")
  private String labelIdColumn;

  @Option(
      names = "--head",
      paramLabel = "FILE",
      description =
          "The model's last layer: .npz or .safetensors with weight (classes x features) and bias."
              + " Without a head, a logistic one is fitted to the labels.")
  private Path headFile;

  @Option(names = "--head-weight", paramLabel = "FILE", description = "The weight as .npy.")
  private Path headWeight;

  @Option(names = "--head-bias", paramLabel = "FILE", description = "The bias as .npy.")
  private Path headBias;

  @Option(
      names = "--classes",
      paramLabel = "NAMES",
      description =
          "The class names in the order of the head's rows: separated by commas, or a file with one"
              + " per line (default: the labels' names, sorted).")
  private String classes;

  @Option(
      names = "--probabilities",
      paramLabel = "FILE",
      description = "Class probabilities of the pool, items x classes (.npy, .npz).")
  private Path probabilities;

  @Option(
      names = "--dropout-probabilities",
      paramLabel = "FILE",
      description = "The same under draws of dropout, draws x items x classes (.npy, .npz).")
  private Path dropoutProbabilities;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The method (default: ${DEFAULT-VALUE}; see 'alfamix strategies').",
      completionCandidates = DemoCommand.StrategyNames.class,
      defaultValue = "alfamix")
  private String strategy;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = "An option of the method; may be repeated.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--budget",
      paramLabel = "B",
      required = true,
      description = "How many items to choose.")
  private int budget;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same picks (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Threads; 0 means one per processor. The picks do not depend on it.",
      defaultValue = "0")
  private int threads;

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description = "Ids never to be picked: one per line, or a table, or .npy of row numbers.")
  private Path exclude;

  @Option(names = "--normalize", description = "Divide every embedding by its norm first.")
  private boolean normalize;

  @Option(
      names = "--per-class-cap",
      paramLabel = "C",
      description = "Pick at most so many items of one predicted class.")
  private Integer perClassCap;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Where to write the picks (default: standard output).")
  private Path output;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "csv, jsonl, parquet, npy (row numbers) or label-studio (default: by the ending of the"
              + " output, else csv).")
  private String formatName;

  @Option(
      names = "--manifest",
      paramLabel = "FILE",
      description = "Where to write what made the picks, as JSON: files, options, seed, times.")
  private Path manifest;

  @Option(
      names = "--candidates",
      paramLabel = "FILE",
      description = "Where to write every candidate of alfamix: id,flip_cap, or .npy of rows.")
  private Path candidates;

  @Option(
      names = "--task-data",
      paramLabel = "KEY=VALUE",
      description =
          "A field of a Label Studio task; {id} stands for the item's id (default: image={id}).")
  private Map<String, String> taskData = new LinkedHashMap<>();

  @Option(
      names = "--task-from",
      paramLabel = "NAME",
      description = "The name of Label Studio's Choices tag (default: ${DEFAULT-VALUE}).",
      defaultValue = "label")
  private String taskFrom;

  @Option(
      names = "--task-to",
      paramLabel = "NAME",
      description = "The name of the tag it refers to (default: the first --task-data, or image).")
  private String taskTo;

  @Option(names = "--dry-run", description = "Read and check everything, but choose nothing.")
  private boolean dryRun;

  @Option(names = "--quiet", description = "Say nothing but the picks and what goes wrong.")
  private boolean quiet;

  private final InputFiles inputs = new InputFiles();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private final LongAdder rowsRead = new LongAdder();
  private int poolSize;
  private int excluded;
  private Stages stages;

  @Override
  public Integer call() throws IOException {
    if (threads < 0 || threads > MOST_THREADS) {
      throw wrongUsage("--threads must be 0 to %d, got %d.".formatted(MOST_THREADS, threads));
    }
    if (output != null && output.toString().equals("-")) {
      output = null;
    }
    BatchFormat format = checkOutputs();
    requireStrategy();
    stages = new Stages(spec.commandLine().getErr(), !quiet && Progress.isTerminal());
    try {
      Batch batch = threads == 0 ? work() : Parallel.with(threads, this::work);
      write(batch, format);
      return ExitCode.DONE;
    } finally {
      stages.clear();
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Whatever can be known to fail at the end fails now. */
  private BatchFormat checkOutputs() {
    if (Path.of("-").equals(manifest) || Path.of("-").equals(candidates)) {
      throw wrongUsage("--manifest and --candidates need the name of a file, got '-'.");
    }
    List<Path> taken = new ArrayList<>();
    for (Path input :
        new Path[] {
          source.location == null ? null : Path.of(source.location),
          labelsFile,
          headFile,
          headWeight,
          headBias,
          probabilities,
          dropoutProbabilities,
          exclude
        }) {
      if (input != null) {
        taken.add(AtomicFile.followed(input));
      }
    }
    for (Path file : new Path[] {output, manifest, candidates}) {
      if (file == null) {
        continue;
      }
      boolean regular = !Files.exists(file) || Files.isRegularFile(file);
      if (regular && taken.contains(AtomicFile.followed(file))) {
        throw wrongUsage(file + " is named twice: it would be overwritten.");
      }
      taken.add(AtomicFile.followed(file));
      try {
        AtomicFile.requireWritable(file);
      } catch (IllegalArgumentException e) {
        throw wrongUsage(e.getMessage());
      }
    }
    if (candidates != null && !candidates.toString().matches("(?i).*\\.(csv|npy)")) {
      throw wrongUsage("--candidates are written as .csv or .npy, got " + candidates + ".");
    }
    BatchFormat format = format();
    if (output == null && !dryRun && !format.isText()) {
      throw wrongUsage("--format " + format.id() + " needs --output FILE.");
    }
    return format;
  }

  private BatchFormat format() {
    if (formatName != null) {
      return Arrays.stream(BatchFormat.values())
          .filter(known -> known.id().equals(formatName.toLowerCase(Locale.ROOT)))
          .findFirst()
          .orElseThrow(
              () ->
                  wrongUsage(
                      "Unknown format '%s', expected csv, jsonl, parquet, npy or label-studio."
                          .formatted(formatName)));
    }
    if (output == null || (Files.exists(output) && !Files.isRegularFile(output))) {
      return BatchFormat.CSV;
    }
    return BatchFormat.ofFile(output)
        .orElseThrow(
            () ->
                wrongUsage(
                    "%s: expected .csv, .jsonl, .parquet, .npy or .json, or say --format."
                        .formatted(output)));
  }

  /** A typing error should not wait for the pool to be read. */
  private void requireStrategy() {
    try {
      Strategies.create(strategy, options);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    if (candidates != null && !strategy.equals(AlfaMix.ENTRY.name())) {
      throw wrongUsage("--candidates: only alfamix has candidates, " + strategy + " has none.");
    }
  }

  private Batch work() {
    // Where main has not begun it already, as in tests.
    KernelWarmUp.begin();
    stages.begin("reading " + (source.sql == null ? source.location : "the query"));
    long start = System.nanoTime();
    Query query = read();
    seconds.put("read", since(start));
    start = System.nanoTime();
    KernelWarmUp.await();
    seconds.put("warmUp", since(start));
    stages.begin("choosing by " + strategy, this::passesOverThePool);
    start = System.nanoTime();
    try {
      Batch batch = dryRun ? query.dryRun() : query.run();
      // What is neither the head nor the choice: gathering, checking every value.
      seconds.put("check", since(start) - batch.headSeconds() - batch.selectSeconds());
      return batch;
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  /** Most methods read the pool once or twice: the first time to check it, then to choose. */
  private String passesOverThePool() {
    long rows = rowsRead.sum();
    return poolSize == 0
        ? ""
        : ", pass %d over the pool, %d %%"
            .formatted(1 + rows / poolSize, 100 * (rows % poolSize) / poolSize);
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Query read() {
    PoolReader reader =
        new PoolReader(array, embeddingColumn, idColumn, Runtime.getRuntime().maxMemory() / 4);
    Pool pool;
    if (source.sql != null) {
      pool = reader.query(source.sql);
    } else {
      List<Path> files = PoolReader.files(source.location);
      files.forEach(file -> digest("embeddings", file));
      warnOfOrder(files);
      pool = reader.read(source.location);
    }
    poolSize = pool.size();
    Query query =
        Query.of(pool)
            .strategy(strategy, options)
            .budget(budget)
            .seed(seed)
            .normalize(normalize)
            .countRowsRead(rowsRead);
    if (perClassCap != null) {
      query.perClassCap(perClassCap);
    }
    if (labelsFile != null) {
      query.labels(Labels.read(digest("labels", labelsFile), pool, labelIdColumn, labelColumn));
    }
    readHead(query, pool);
    if (classes != null) {
      query.classNames(classNames());
    }
    if (probabilities != null) {
      query.probabilities(numbers(digest("probabilities", probabilities)));
      if (List.of("alfamix", "bald", "coreset", "random").contains(strategy)) {
        say(strategy + " does not choose by --probabilities; they only tell what is predicted.");
      }
    }
    if (dropoutProbabilities != null) {
      query.dropoutProbabilities(numbers(digest("dropout-probabilities", dropoutProbabilities)));
    }
    if (exclude != null) {
      Exclusions exclusions = Exclusions.read(digest("exclude", exclude), pool, idColumn);
      excluded = exclusions.rows().length;
      query.exclude(exclusions.rows());
      if (exclusions.unknown() > 0) {
        say("%d ids of %s are not in the pool.".formatted(exclusions.unknown(), exclude));
      }
    }
    return query;
  }

  /** part-10 comes before part-2 by name, which may not be what was meant. */
  private void warnOfOrder(List<Path> files) {
    for (int i = 1; i < files.size(); i++) {
      String before = files.get(i - 1).getFileName().toString();
      String after = files.get(i).getFileName().toString();
      String[] a = before.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");
      String[] b = after.split("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");
      int at = 0;
      while (at < Math.min(a.length, b.length) - 1 && a[at].equals(b[at])) {
        at++;
      }
      if (a[at].matches("\\d{1,18}")
          && b[at].matches("\\d{1,18}")
          && Long.parseLong(a[at]) > Long.parseLong(b[at])) {
        say("files are read in the order of their names: %s before %s.".formatted(before, after));
        return;
      }
    }
  }

  private void readHead(Query query, Pool pool) {
    if (headFile != null && headWeight != null) {
      throw wrongUsage("--head and --head-weight exclude each other.");
    }
    if (headWeight == null && headBias != null) {
      throw wrongUsage("--head-bias needs --head-weight.");
    }
    if (headFile != null) {
      HeadReader.Reading reading = HeadReader.read(digest("head", headFile), pool.features());
      query.head(reading.head());
      if (reading.remark() != null) {
        say(reading.remark());
      }
    } else if (headWeight != null) {
      if (headBias != null) {
        digest("head-bias", headBias);
      } else {
        say("no --head-bias was given: the bias is taken as 0.");
      }
      query.head(HeadReader.read(digest("head-weight", headWeight), headBias, pool.features()));
    }
  }

  private Path digest(String role, Path file) {
    if (manifest != null && Files.exists(file)) {
      inputs.add(role, file);
    }
    return file;
  }

  private List<String> classNames() {
    Path file = classes.indexOf(',') < 0 ? Path.of(classes) : null;
    if (file != null && !Files.exists(file)) {
      throw wrongUsage(
          "--classes %s: no such file, expected one, or names separated by commas."
              .formatted(classes));
    }
    List<String> names = new ArrayList<>();
    if (file != null && Files.isRegularFile(file)) {
      names.addAll(TextLines.read(digest("classes", file)));
    } else {
      names.addAll(List.of(classes.split(",")));
    }
    names.replaceAll(String::strip);
    names.removeIf(String::isEmpty);
    if (names.isEmpty()) {
      throw wrongUsage("--classes has no names.");
    }
    if (names.size() != names.stream().distinct().count()) {
      throw wrongUsage("--classes has a name twice.");
    }
    return names;
  }

  private static NumericArray numbers(Path file) {
    if (file.getFileName().toString().endsWith(".npy")) {
      return Npy.open(file);
    }
    ArrayBundle bundle = ArrayBundle.open(file);
    if (bundle.names().size() != 1) {
      throw new DataException(
          "%s: expected one array, found %s.".formatted(file, String.join(", ", bundle.names())));
    }
    return bundle.array(bundle.names().get(0));
  }

  private void say(String remark) {
    if (!quiet) {
      complain(remark);
    }
  }

  private void complain(String remark) {
    stages.clear();
    spec.commandLine().getErr().println("alfamix: " + remark);
    spec.commandLine().getErr().flush();
  }

  private void write(Batch batch, BatchFormat format) throws IOException {
    if (batch.remark() != null) {
      say(batch.remark().endsWith("?") ? batch.remark() : batch.remark() + ".");
    }
    if (dryRun) {
      describe(batch);
      return;
    }
    // Before anything is written: a file that cannot be digested is bad data.
    List<InputFiles.InputFile> digests = inputs.all();
    long start = System.nanoTime();
    BatchWriter writer = new BatchWriter(labelStudioTasks());
    if (candidates != null) {
      BatchWriter.writeCandidates(batch, candidates);
    }
    if (output == null) {
      stages.clear();
      PrintWriter out = spec.commandLine().getOut();
      out.print(text(writer, batch, format));
      if (out.checkError() || System.out.checkError()) {
        throw new UncheckedIOException(new IOException("standard output cannot be written."));
      }
    } else {
      writer.write(batch, format, output);
    }
    if (batch.picks().size() < budget) {
      complain(
          "only %d picks: no more items are left under --per-class-cap %d."
              .formatted(batch.picks().size(), perClassCap));
    }
    if (batch.drawnAtRandom() > 0) {
      say(
          "%d of the %d picks were drawn at random: no more items flip."
              .formatted(batch.drawnAtRandom(), batch.picks().size()));
    }
    if (manifest != null) {
      writeManifest(batch, digests, since(start));
    }
    if (output != null) {
      say(summary(batch));
    }
  }

  private static String text(BatchWriter writer, Batch batch, BatchFormat format)
      throws IOException {
    var bytes = new java.io.ByteArrayOutputStream();
    writer.write(batch, format, bytes);
    return bytes.toString(java.nio.charset.StandardCharsets.UTF_8);
  }

  private String summary(Batch batch) {
    String from =
        batch.hasCandidates()
            ? String.format(
                Locale.ROOT,
                " of %,d candidates at cap %.2g",
                batch.selection().candidates(),
                batch.selection().cap())
            : String.format(Locale.ROOT, " of %,d items", batch.eligible().length);
    return String.format(
        Locale.ROOT,
        "%d picks%s in %s (%.2f s)",
        batch.picks().size(),
        from,
        output,
        batch.selectSeconds());
  }

  private LabelStudioTasks labelStudioTasks() {
    Map<String, String> data = taskData.isEmpty() ? Map.of("image", "{id}") : taskData;
    String to = taskTo != null ? taskTo : data.keySet().iterator().next();
    return new LabelStudioTasks(taskFrom, to, data);
  }

  private void writeManifest(Batch batch, List<InputFiles.InputFile> digests, double writing) {
    seconds.put("head", batch.headSeconds());
    seconds.put("select", batch.selectSeconds());
    seconds.put("write", writing);
    seconds.put("total", sinceStartOfJava());
    new Manifest(
            Version.number(),
            batch,
            digests,
            source.sql,
            normalize,
            perClassCap,
            excluded,
            threads == 0 ? Parallel.threads() : threads,
            seconds)
        .write(manifest);
  }

  /** With the start of Java itself: what a person waits for. */
  private static double sinceStartOfJava() {
    long start = ManagementFactory.getRuntimeMXBean().getStartTime();
    return (System.currentTimeMillis() - start) / 1e3;
  }

  private void describe(Batch batch) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "pool        %,d items of %d features, ids %s%n",
        batch.pool().size(),
        batch.pool().features(),
        batch.pool().hasIds() ? "as " + batch.pool().id(0) : "are row numbers");
    out.printf(
        Locale.ROOT,
        "labelled    %,d%nexcluded    %,d%nunlabelled  %,d%n",
        batch.labelled(),
        excluded,
        batch.eligible().length);
    out.printf(
        "classes     %d%s%n",
        batch.classes(), batch.classNames() == null ? "" : ": " + shortened(batch.classNames()));
    out.printf("strategy    %s %s%n", batch.strategy(), batch.options());
    out.printf("budget      %d, seed %d%n", batch.budget(), batch.seed());
    out.println("Everything was read and checked; nothing was chosen (--dry-run).");
    out.flush();
  }

  private static String shortened(List<String> names) {
    return names.size() <= 10
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 10)) + ", …";
  }
}
