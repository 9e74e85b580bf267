package org.alfamix.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;

/** A valid query: 40 items of 3 classes with 4 features, six of them labelled. */
final class SmallPool {
  static final int SIZE = 40;
  static final int FEATURES = 4;

  final Path folder;
  final FloatMatrix pool;
  private final Map<String, String> options = new LinkedHashMap<>();

  SmallPool(Path folder) {
    this.folder = folder;
    this.pool = FloatMatrix.zeros(SIZE, FEATURES);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < SIZE; i++) {
      for (int d = 0; d < FEATURES; d++) {
        pool.set(i, d, (float) ((d == i % 3 ? 2 : 0) + random.nextGaussian()));
      }
    }
    Formats.write(file("pool.npy"), out -> Npy.write(out, pool));
    Formats.text(file("labels.csv"), "id,label\n0,0\n1,1\n2,2\n3,0\n4,1\n5,2\n");
    FloatMatrix weight = FloatMatrix.zeros(3, FEATURES);
    for (int k = 0; k < 3; k++) {
      weight.set(k, k, 1);
    }
    Formats.bundle(file("head.npz"), "weight", weight, "bias", new float[3]);
    set("--embeddings", file("pool.npy"));
    set("--labels", file("labels.csv"));
    set("--head", file("head.npz"));
    set("--budget", 5);
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  /** Sets an option; null removes it, the empty text makes it a flag. */
  SmallPool set(String option, Object value) {
    if (value == null) {
      options.remove(option);
    } else {
      options.put(option, value.toString());
    }
    return this;
  }

  CommandOutcome run() {
    List<String> args = new ArrayList<>(List.of("select"));
    options.forEach(
        (option, value) -> {
          args.add(option);
          if (!value.isEmpty()) {
            args.add(value);
          }
        });
    return CommandOutcome.of(args.toArray(String[]::new));
  }

  /** Returns the files of the folder with their contents, to check that nothing was changed. */
  Map<String, String> contents() {
    Map<String, String> result = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        result.put(
            file.getFileName().toString(), java.util.Arrays.toString(Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return result;
  }
}
