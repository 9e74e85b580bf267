package com.example.plugin;

import java.util.List;
import java.util.SplittableRandom;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetProvider;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.RowInputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.datasets.Source;
import org.alfamix.math.FloatMatrix;

/** A generated data set: two interleaved half circles. */
public final class TwoMoons implements DatasetProvider {
  private static final int POOL = 1_000;
  private static final int TEST = 500;

  @Override
  public List<DatasetEntry> entries() {
    return List.of(
        new DatasetEntry(
            "two-moons",
            "two interleaved half circles",
            2,
            POOL,
            TEST,
            "not applicable (generated data)",
            "",
            List.of(
                new Form(
                    List.of(),
                    List.of(),
                    List.of(new Source.BuiltIn("generated")),
                    folder -> data()))));
  }

  private static Dataset data() {
    return new Dataset(
        "two-moons",
        List.of("upper", "lower"),
        part(POOL, new SplittableRandom(1)),
        part(TEST, new SplittableRandom(2)),
        Scaling.none(InputShape.table(2)));
  }

  private static Dataset.Part part(int items, SplittableRandom random) {
    FloatMatrix points = FloatMatrix.zeros(items, 2);
    int[] labels = new int[items];
    for (int i = 0; i < items; i++) {
      labels[i] = i % 2;
      double angle = Math.PI * random.nextDouble();
      double side = labels[i] == 0 ? 1 : -1;
      points.set(i, 0, (float) (side * Math.cos(angle) + (1 - side) / 2 + noise(random)));
      points.set(i, 1, (float) (side * Math.sin(angle) + (1 - side) / 4 + noise(random)));
    }
    return new Dataset.Part(new RowInputs(points), labels);
  }

  private static double noise(SplittableRandom random) {
    return 0.15 * random.nextGaussian();
  }
}
