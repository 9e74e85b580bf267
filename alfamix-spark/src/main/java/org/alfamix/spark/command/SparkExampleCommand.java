package org.alfamix.spark.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Shell;
import org.alfamix.command.Version;
import org.alfamix.datasets.OverlappingClasses;
import org.alfamix.io.AtomicFile;
import org.alfamix.math.Seeds;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a synthetic pool of any size. */
@Command(
    name = "example",
    description = {
      "Write a synthetic pool of any size as Parquet, to try 'select'.",
      "",
      "Creates pool/ (id, embedding) and labels.csv in the folder.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class SparkExampleCommand implements Callable<Integer> {
  private static final long STREAM = 2;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FOLDER", description = "Output folder; created if missing.")
  private Path folder;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Number of items.")
  private long rows;

  @Option(
      names = "--features",
      paramLabel = "D",
      defaultValue = "64",
      description = "Number of features.")
  private int features;

  @Option(
      names = "--classes",
      paramLabel = "K",
      defaultValue = "10",
      description = "Number of classes.")
  private int classes;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      defaultValue = "16",
      description = "Number of files.")
  private int partitions;

  @Mixin private SessionOptions session;

  @Override
  public Integer call() {
    int labelled = Math.max(100, 10 * classes);
    require(
        features >= 1 && classes >= 2 && partitions >= 1,
        "--features and --partitions must be at least 1, --classes at least 2");
    require(
        rows > labelled,
        "--rows must be greater than %d, the number of labelled items".formatted(labelled));
    Path pool = folder.resolve("pool");
    require(!Files.exists(pool), pool + " already exists");
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + ": cannot create the folder: " + e.getMessage(), e);
    }
    SessionOptions.using(session.open("example", false), spark -> write(spark, pool));
    StringBuilder labels = new StringBuilder("id,label\n");
    OverlappingClasses items = new OverlappingClasses(features, classes);
    for (long id = 0; id < labelled; id++) {
      int label = items.draw(random(id), new float[features], 0);
      labels.append(id).append(',').append("class-").append(label).append('\n');
    }
    AtomicFile.write(
        folder.resolve("labels.csv"),
        out -> out.write(labels.toString().getBytes(StandardCharsets.UTF_8)));
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Wrote %,d items to %s. Next, run:%n%n", rows, folder);
    out.printf(
        "  %2$s spark select --embeddings '%1$s/pool/*.parquet' --labels %1$s/labels.csv --budget"
            + " 5%n",
        folder, Shell.alfamix());
    out.flush();
    return ExitCode.SUCCESS;
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), what + ".");
    }
  }

  /** Returns the generator of an item, so that smaller pools are prefixes of larger ones. */
  private static SplittableRandom random(long id) {
    return new SplittableRandom(Seeds.scatter(STREAM ^ Seeds.scatter(id)));
  }

  private Void write(SparkSession spark, Path pool) {
    StructType schema =
        new StructType()
            .add("id", DataTypes.LongType, false)
            .add("embedding", DataTypes.createArrayType(DataTypes.FloatType, false), false);
    OverlappingClasses items = new OverlappingClasses(features, classes);
    JavaRDD<Row> all = spark.range(0, rows, 1, partitions).toJavaRDD().map(id -> item(items, id));
    spark
        .createDataFrame(all, schema)
        .write()
        .mode(SaveMode.ErrorIfExists)
        .parquet(pool.toString());
    return null;
  }

  private static Row item(OverlappingClasses items, long id) {
    float[] embedding = new float[items.features()];
    items.draw(random(id), embedding, 0);
    return RowFactory.create(id, embedding);
  }
}
