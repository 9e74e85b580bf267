package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;
import org.alfamix.studio.source.ModelInput;

/** A network that is trained on all labels, each time from the same initial weights. */
final class NetworkModel implements Model {
  /** The target accuracy may be out of reach, because annotators make mistakes. */
  private static final int MAX_EPOCHS = 200;

  private final LearnerEngine engine;
  private final String network;
  private final ModelInput.Raw modelInput;
  private final long seed;
  private Learner learner;

  NetworkModel(LearnerEngine engine, String network, ModelInput.Raw modelInput, long seed) {
    this.engine = engine;
    this.network = network;
    this.modelInput = modelInput;
    this.seed = seed;
  }

  @Override
  public void learn(int[] items, int[] labels, List<String> classNames) {
    if (learner == null || !learner.spec().classNames().equals(classNames)) {
      close();
      learner =
          engine.create(
              new LearnerSpec(
                  network,
                  modelInput.inputs().shape(),
                  modelInput.scaling(),
                  classNames,
                  TrainingOptions.of(network, modelInput.inputs().shape()).withEpochs(MAX_EPOCHS),
                  Pretraining.NONE,
                  seed,
                  1,
                  "auto"));
    }
    learner.fit(modelInput.inputs(), items, labels);
  }

  @Override
  public Snapshot snapshot(int[] unlabelled, int[] labelled, int[] labels) {
    return learner.snapshot(
        modelInput.inputs(), unlabelled, labelled, labels, SnapshotOptions.PLAIN);
  }

  @Override
  public FloatMatrix embed(int[] items) {
    return learner == null
        ? FixedModel.read(modelInput, items, done -> {})
        : learner.embed(modelInput.inputs(), items);
  }

  @Override
  public void close() {
    if (learner != null) {
      learner.close();
      learner = null;
    }
  }
}
