package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The Python program for the comparison. */
record Peer(String python, Path program, int threads) {

  /** Returns the folder with arrays of this shape; the program creates missing arrays. */
  Path arrays(Path parent, int size, int features, int classes) throws IOException {
    Path folder = parent.resolve("%dx%dx%d".formatted(size, features, classes));
    if (!Files.exists(folder.resolve("b.npy"))) {
      Files.createDirectories(folder);
      call("make", folder, size, features, classes);
    }
    return folder;
  }

  /** Returns the seconds of a selection. */
  double seconds(Path folder, String method, int budget) {
    return Double.parseDouble(call(folder, method, budget).split(" ")[2]);
  }

  private String call(Object... arguments) {
    String count = Integer.toString(threads);
    List<String> command =
        Arrays.stream(new Object[][] {{python, program}, arguments})
            .flatMap(Arrays::stream)
            .map(Object::toString)
            .toList();
    return ChildProcess.run(
        command,
        Map.of("OMP_NUM_THREADS", count, "MKL_NUM_THREADS", count, "OPENBLAS_NUM_THREADS", count));
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
