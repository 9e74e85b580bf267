package org.alfamix.studio.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.model.Snapshot;
import org.alfamix.studio.source.ModelInput;

/** A logistic regression on fixed features. */
final class FixedModel implements Model {
  private static final int BLOCK = 64;

  private final FloatMatrix features;
  private volatile LinearHead head;
  private List<String> classNames;

  FixedModel(FloatMatrix features) {
    this.features = features;
  }

  /**
   * Returns given embeddings, or scaled pixels or columns.
   *
   * @param progress receives the number of completed items
   */
  static FloatMatrix features(ModelInput modelInput, IntConsumer progress) {
    if (modelInput instanceof ModelInput.Given given) {
      return given.embeddings();
    }
    if (modelInput instanceof ModelInput.Texts texts) {
      return texts.model().pool();
    }
    ModelInput.Raw raw = (ModelInput.Raw) modelInput;
    return read(raw, IntStream.range(0, raw.inputs().size()).toArray(), progress);
  }

  /** Returns scaled pixels or columns of some items. */
  static FloatMatrix read(ModelInput.Raw raw, int[] items, IntConsumer progress) {
    Inputs inputs = raw.inputs();
    FloatMatrix features = FloatMatrix.zeros(items.length, inputs.shape().length());
    AtomicInteger done = new AtomicInteger();
    Parallel.forBlocks(
        items.length,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            inputs.read(items[i], features.array(), features.rowOffset(i));
            raw.scaling().apply(features.array(), features.rowOffset(i), inputs.shape());
          }
          progress.accept(done.addAndGet(to - from));
        });
    return features;
  }

  @Override
  public void learn(int[] items, int[] labels, List<String> names) {
    classNames = List.copyOf(names);
    head =
        LogisticRegression.fit(
                features.gather(items), labels, names.size(), LogisticRegression.Options.DEFAULT)
            .head();
  }

  @Override
  public Snapshot snapshot(int[] unlabelled, int[] labelled, int[] labels) {
    return Snapshot.of(features.gather(unlabelled))
        .labelled(features.gather(labelled), labels)
        .head(head)
        .classNames(classNames)
        .build();
  }

  boolean isTrained() {
    return head != null;
  }

  /**
   * Returns the probabilities of the classes for any features, one row per item; empty before the
   * first training.
   */
  Optional<FloatMatrix> probabilities(FloatMatrix rows) {
    LinearHead trained = head;
    return Optional.ofNullable(trained)
        .map(
            known ->
                Snapshot.of(rows)
                    .classes(known.classes())
                    .head(known)
                    .build()
                    .probabilitiesOf(rows));
  }

  @Override
  public FloatMatrix embed(int[] items) {
    return features.gather(items);
  }
}
