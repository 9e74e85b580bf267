package org.alfamix.golden;

import java.util.List;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.DropoutSamples;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/** A golden selection case with the values of its manifest. */
public record GoldenCase(
    String name, int budget, double finalCap, int candidates, double inertia, Snapshot snapshot) {

  public static final List<String> NAMES = List.of("edge", "few", "letter", "mnist");

  public static GoldenCase of(String name) {
    return switch (name) {
      case "edge" -> read(name, 5, 0.4, 8, 0.7611403465270996);
      case "few" -> read(name, 20, 1.0, 11, 0);
      case "letter" -> read(name, 20, 0.2, 458, 95.12164306640625);
      case "mnist" -> read(name, 20, 0.2, 348, 29.31873321533203);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static GoldenCase read(
      String name, int budget, double finalCap, int candidates, double inertia) {
    NpyFile samples = NpyFile.read(name + "/mc");
    FloatMatrix[] matrices = new FloatMatrix[samples.shape()[0]];
    int rows = samples.shape()[1];
    int columns = samples.shape()[2];
    FloatMatrix all = FloatMatrix.wrap(samples.floats(), matrices.length * rows, columns);
    for (int t = 0; t < matrices.length; t++) {
      matrices[t] = all.slice(t * rows, (t + 1) * rows);
    }
    Snapshot snapshot =
        Snapshot.of(NpyFile.read(name + "/z").matrix())
            .labelled(NpyFile.read(name + "/zl").matrix(), NpyFile.read(name + "/yl").ints())
            .head(
                new LinearHead(
                    NpyFile.read(name + "/W").matrix(), NpyFile.read(name + "/b").floats()))
            .dropoutSamples(DropoutSamples.of(matrices))
            .build();
    return new GoldenCase(name, budget, finalCap, candidates, inertia, snapshot);
  }

  public LinearHead head() {
    return (LinearHead) snapshot.head().orElseThrow();
  }

  public FloatMatrix pool() {
    return snapshot.unlabelled().toMatrix();
  }

  /** Returns a golden array of this case. */
  public double[] expected(String array) {
    return NpyFile.read(name + "/" + array).values();
  }

  public int[] expectedPicks(String array) {
    return NpyFile.read(name + "/" + array).ints();
  }
}
