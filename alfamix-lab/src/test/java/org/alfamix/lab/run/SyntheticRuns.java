package org.alfamix.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;

/** Writes synthetic results for reports, without training networks. */
public final class SyntheticRuns {
  private static final int CLASSES = 10;

  private SyntheticRuns() {}

  /** The accuracy of a run in a round. */
  @FunctionalInterface
  public interface Accuracy {
    double of(String method, long seed, int round);
  }

  /** Writes the runs of some methods, with the seeds 1 to {@code seeds}. */
  public static void write(
      Path folder, Setting setting, List<Method> methods, int seeds, Accuracy accuracy) {
    try {
      Files.createDirectories(folder.resolve(setting.name()));
      Files.writeString(folder.resolve(setting.name()).resolve("setting.yaml"), setting.yaml());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Method method : methods) {
      for (long seed = setting.firstSeed(); seed < setting.firstSeed() + seeds; seed++) {
        Job job = new Job(setting, method, seed);
        Provenance provenance =
            Provenance.now("libtorch 0", "cpu", "0".repeat(64), Optional.empty());
        RunHeader header =
            new RunHeader(
                setting.name(),
                setting.definingValues(),
                method,
                seed,
                "2026-01-01T00:00:00Z",
                provenance);
        RunFile file = RunFile.create(job.file(folder), header);
        for (int round = 0; round <= setting.schedule().rounds(); round++) {
          file.append(round(setting, method, seed, round, accuracy));
        }
      }
    }
    if (setting.latentItems() > 0) {
      latent(setting).write(LatentSpace.file(folder, setting, 1));
    }
  }

  private static Round round(
      Setting setting, Method method, long seed, int number, Accuracy accuracy) {
    int labels =
        setting.schedule().labelsAt(number, setting.name().equals("hmdb51-mvit") ? 51 : CLASSES);
    boolean last = number == setting.schedule().rounds();
    boolean mixes = method.strategy().equals("alfamix");
    int[] labelled = IntStream.range(0, labels).toArray();
    Optional<Round.Query> query =
        last
            ? Optional.empty()
            : Optional.of(
                new Round.Query(
                    IntStream.range(labels, labels + setting.schedule().budgets().get(number))
                        .toArray(),
                    mixes ? 500 - 10 * number : 1000,
                    mixes ? 0.2 : Double.NaN,
                    0,
                    new QueryStatistics(0.5 + 0.01 * number, 0.2, 2, 3),
                    mixes && number == 0
                        ? IntStream.range(labels, labels + 60).toArray()
                        : new int[0]));
    Map<String, Double> seconds =
        last
            ? Map.of("train", 2.0, "test", 0.1)
            : Map.of("train", 2.0, "test", 0.1, "embed", 0.3, "select", 0.2);
    return new Round(
        number,
        labelled,
        accuracy.of(method.label(), seed, number),
        30,
        0.99,
        query,
        seconds,
        2,
        Map.of());
  }

  private static LatentSpace latent(Setting setting) {
    int[] items = IntStream.range(0, setting.latentItems()).toArray();
    SplittableRandom random = new SplittableRandom(1);
    DoubleUnaryOperator near = k -> k + random.nextGaussian() * 0.2;
    double[][] plane =
        Arrays.stream(items)
            .mapToObj(
                i ->
                    new double[] {
                      near.applyAsDouble(i % CLASSES % 4), near.applyAsDouble(i % CLASSES / 4.0)
                    })
            .toArray(double[][]::new);
    return new LatentSpace(
        1,
        setting.latentItems(),
        items,
        Arrays.stream(items).map(i -> i % CLASSES).toArray(),
        IntStream.range(0, CLASSES).mapToObj(String::valueOf).toList(),
        plane,
        plane);
  }
}
