package org.alfamix.torch;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;
import org.alfamix.model.HeadDropout;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Network;
import org.alfamix.model.RectifiedHead;
import org.alfamix.model.ReluNetwork;
import org.alfamix.model.Snapshot;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;

/** A learner whose network runs on libtorch. */
final class TorchLearner implements Learner {
  private final LearnerSpec spec;
  private final Device device;
  private final Classifier classifier;
  private final Inference inference;

  /** The weights at the creation of this learner. */
  private final Map<String, float[]> initial;

  /** The number of fits so far; each fit has its own item orders. */
  private int fits;

  TorchLearner(LearnerSpec spec) {
    this.spec = spec;
    this.device = Torch.device(spec.device());
    Torch.setThreads(spec.threads());
    this.classifier =
        new Classifier(
            Architectures.named(spec.network()), spec.input(), spec.classes(), device, spec.seed());
    try {
      spec.pretraining()
          .weights()
          .ifPresent(
              file ->
                  Weights.load(file, classifier.architecture(), classifier.parameters(), false));
      classifier.tune(spec.pretraining().tuning());
    } catch (RuntimeException e) {
      classifier.close();
      device.close();
      throw e;
    }
    this.initial = classifier.parameters().values();
    this.inference = new Inference(spec.input(), device, spec.threads());
  }

  @Override
  public LearnerSpec spec() {
    return spec;
  }

  @Override
  public int features() {
    return classifier.width();
  }

  @Override
  public long parameters() {
    return classifier.parameters().trainable().values().stream().mapToLong(Tensor::numel).sum();
  }

  @Override
  public String device() {
    return device.str().getString();
  }

  Classifier classifier() {
    return classifier;
  }

  int fits() {
    return fits;
  }

  @Override
  public void skipFits(int count) {
    fits = count;
  }

  @Override
  public Fit fit(Inputs inputs, int[] items, int[] labels, FitListener listener) {
    requireShape(inputs);
    if (items.length != labels.length) {
      throw new IllegalArgumentException(
          "%d items, but %d labels.".formatted(items.length, labels.length));
    }
    for (int label : labels) {
      if (label < 0 || label >= spec.classes()) {
        throw new IllegalArgumentException(
            "Found label %d, expected 0 to %d.".formatted(label, spec.classes() - 1));
      }
    }
    if (!spec.training().warmStart()) {
      classifier.parameters().set(initial);
    }
    Torch.setThreads(classifier.backbone().isSmall() ? 1 : spec.threads());
    // Each fit has its own item orders, which do not depend on other learners.
    long seed = spec.seed() + 1_000_003L * fits++;
    try (Training training =
        new Training(
            classifier,
            new ScaledInputs(inputs, items, spec.scaling()),
            labels,
            spec.training(),
            device,
            seed,
            Training.MAX_CACHED_VALUES)) {
      Fit fit = training.run(listener);
      requireFinite();
      return fit;
    }
  }

  private void requireFinite() {
    try {
      classifier.parameters().requireFinite();
    } catch (DataException e) {
      throw new DataException("Training diverged: " + e.getMessage(), e);
    }
  }

  @Override
  public double accuracy(Inputs inputs, int[] labels) {
    requireShape(inputs);
    if (labels.length != inputs.size()) {
      throw new IllegalArgumentException(
          "%d items, but %d labels.".formatted(inputs.size(), labels.length));
    }
    int[] all = IntStream.range(0, inputs.size()).toArray();
    AtomicInteger right = new AtomicInteger();
    int classes = spec.classes();
    inference.run(
        new ScaledInputs(inputs, all, spec.scaling()),
        this::forward,
        (from, to, forward) -> {
          float[] logits = new float[(to - from) * classes];
          Tensors.copy(forward.logits(), logits, 0);
          int count = 0;
          for (int i = from; i < to; i++) {
            count += Kernels.argmax(logits, (i - from) * classes, classes) == labels[i] ? 1 : 0;
          }
          right.addAndGet(count);
        });
    return (double) right.get() / inputs.size();
  }

  private Classifier.Forward forward(Tensor batch) {
    return classifier.forward(batch, false, null);
  }

  @Override
  public FloatMatrix embed(Inputs inputs, int[] items) {
    requireShape(inputs);
    FloatMatrix embeddings = FloatMatrix.zeros(items.length, classifier.width());
    inference.run(
        new ScaledInputs(inputs, items, spec.scaling()),
        this::forward,
        (from, to, forward) ->
            Tensors.copy(forward.embeddings(), embeddings.array(), embeddings.rowOffset(from)));
    return embeddings;
  }

  @Override
  public Head head() {
    LinearHead linear = classifier.head();
    return classifier.backbone().rectifiesLogits() ? new RectifiedHead(linear) : linear;
  }

  @Override
  public Snapshot snapshot(
      Inputs inputs, int[] unlabelled, int[] labelled, int[] labels, SnapshotOptions options) {
    int[] both = IntStream.concat(IntStream.of(unlabelled), IntStream.of(labelled)).toArray();
    FloatMatrix embeddings = embed(inputs, both);
    FloatMatrix pool = embeddings.slice(0, unlabelled.length);
    LinearHead linear = classifier.head();
    Head head = head();
    Snapshot.Builder builder =
        Snapshot.of(pool)
            .labelled(embeddings.slice(unlabelled.length, both.length), labels)
            .head(head)
            .classNames(spec.classNames());
    if (options.dropoutSamples() > 0) {
      if (spec.training().dropout() == 0) {
        throw new IllegalArgumentException(
            "Dropout samples need a learner with dropout; without it, all samples would be the"
                + " same.");
      }
      builder.dropoutSamples(
          new HeadDropout(
              head, pool, options.dropoutSamples(), spec.training().dropout(), options.seed()));
    }
    if (options.network()) {
      builder.network(network(linear), new ScaledInputs(inputs, unlabelled, spec.scaling()));
    }
    return builder.build();
  }

  /** Returns a network that Java computes if it has a single hidden layer, otherwise libtorch. */
  private Network network(LinearHead head) {
    Optional<LinearHead> hidden = classifier.backbone().hiddenLayer();
    return hidden.isPresent()
        ? new ReluNetwork(hidden.get(), head)
        : new AutogradNetwork(classifier, device);
  }

  private void requireShape(Inputs inputs) {
    InputShape shape = inputs.shape();
    if (!shape.equals(spec.input())) {
      throw new IllegalArgumentException(
          "Expected items of %s, found %s.".formatted(spec.input(), shape));
    }
  }

  @Override
  public void save(Path file, TrainingRecord training) {
    Checkpoint.write(file, this, training);
  }

  @Override
  public void close() {
    inference.close();
    classifier.close();
    device.close();
  }
}
