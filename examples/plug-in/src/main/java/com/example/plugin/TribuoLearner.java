package com.example.plugin;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.alfamix.datasets.Inputs;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.tribuo.MutableDataset;
import org.tribuo.classification.Label;
import org.tribuo.classification.LabelFactory;
import org.tribuo.classification.sgd.linear.LinearSGDModel;
import org.tribuo.classification.sgd.linear.LinearSGDTrainer;
import org.tribuo.classification.sgd.objectives.LogMulticlass;
import org.tribuo.impl.ArrayExample;
import org.tribuo.math.la.DenseMatrix;
import org.tribuo.math.optimisers.AdaGrad;
import org.tribuo.provenance.SimpleDataSourceProvenance;

/** Fits Tribuo's logistic regression. The embedding of an item is its scaled values. */
final class TribuoLearner implements Learner {
  private static final int EPOCHS = 50;
  private static final int NO_LOGGING = -1;

  /** The logit of classes without labelled items, which the model does not know. */
  private static final float UNKNOWN_CLASS = -10;

  private final LearnerSpec spec;
  private final int features;
  private int fits;
  private LinearHead head;

  TribuoLearner(LearnerSpec spec) {
    this.spec = spec;
    this.features = spec.input().length();
    this.head =
        new LinearHead(
            FloatMatrix.zeros(spec.classes(), features), new float[spec.classes()]);
  }

  @Override
  public LearnerSpec spec() {
    return spec;
  }

  @Override
  public int features() {
    return features;
  }

  @Override
  public String device() {
    return "cpu";
  }

  @Override
  public long parameters() {
    return (long) spec.classes() * (features + 1);
  }

  @Override
  public Fit fit(Inputs inputs, int[] items, int[] labels, FitListener listener) {
    long start = System.nanoTime();
    var factory = new LabelFactory();
    var data =
        new MutableDataset<Label>(new SimpleDataSourceProvenance("labelled items", factory), factory);
    String[] names = IntStream.range(0, features).mapToObj(d -> "f" + d).toArray(String[]::new);
    FloatMatrix rows = embed(inputs, items);
    for (int i = 0; i < items.length; i++) {
      data.add(new ArrayExample<>(label(labels[i]), names, values(rows, i)));
    }
    var trainer =
        new LinearSGDTrainer(
            new LogMulticlass(), new AdaGrad(0.5), EPOCHS, NO_LOGGING, spec.seed() + fits++);
    LinearSGDModel model = (LinearSGDModel) trainer.train(data);
    head = head(model, names);
    double accuracy = share(rows, labels);
    listener.epoch(EPOCHS, accuracy, Double.NaN);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Fit(EPOCHS, accuracy, Double.NaN, (long) EPOCHS * items.length, seconds);
  }

  private static Label label(int number) {
    return new Label(Integer.toString(number));
  }

  private static double[] values(FloatMatrix rows, int row) {
    double[] values = new double[rows.columns()];
    Arrays.setAll(values, d -> rows.get(row, d));
    return values;
  }

  /** Copies the weights; Tribuo numbers features and classes in its own order, the bias is last. */
  private LinearHead head(LinearSGDModel model, String[] names) {
    DenseMatrix weights = model.getWeightsCopy();
    FloatMatrix weight = FloatMatrix.zeros(spec.classes(), features);
    float[] bias = new float[spec.classes()];
    for (int k = 0; k < spec.classes(); k++) {
      int row = model.getOutputIDInfo().getID(label(k));
      if (row < 0) {
        bias[k] = UNKNOWN_CLASS;
        continue;
      }
      for (int d = 0; d < features; d++) {
        int column = model.getFeatureIDMap().getID(names[d]);
        weight.set(k, d, column < 0 ? 0 : (float) weights.get(row, column));
      }
      bias[k] = (float) weights.get(row, weights.getDimension2Size() - 1);
    }
    return new LinearHead(weight, bias);
  }

  @Override
  public void skipFits(int count) {
    fits += count;
  }

  @Override
  public double accuracy(Inputs inputs, int[] labels) {
    return share(embed(inputs, IntStream.range(0, inputs.size()).toArray()), labels);
  }

  private double share(FloatMatrix rows, int[] labels) {
    FloatMatrix logits = head.logits(rows);
    int right = 0;
    for (int i = 0; i < labels.length; i++) {
      int best = 0;
      for (int k = 1; k < logits.columns(); k++) {
        best = logits.get(i, k) > logits.get(i, best) ? k : best;
      }
      right += best == labels[i] ? 1 : 0;
    }
    return labels.length == 0 ? Double.NaN : (double) right / labels.length;
  }

  @Override
  public FloatMatrix embed(Inputs inputs, int[] items) {
    FloatMatrix rows = FloatMatrix.zeros(items.length, features);
    float[] shift = spec.scaling().shift();
    float[] scale = spec.scaling().scale();
    int perChannel = features / shift.length;
    float[] values = new float[features];
    for (int i = 0; i < items.length; i++) {
      inputs.read(items[i], values, 0);
      for (int d = 0; d < features; d++) {
        int channel = d / perChannel;
        rows.set(i, d, (values[d] - shift[channel]) / scale[channel]);
      }
    }
    return rows;
  }

  @Override
  public Head head() {
    return head;
  }

  @Override
  public Snapshot snapshot(
      Inputs inputs, int[] unlabelled, int[] labelled, int[] labels, SnapshotOptions options) {
    return Snapshot.of(embed(inputs, unlabelled))
        .labelled(embed(inputs, labelled), labels)
        .head(head)
        .classNames(spec.classNames())
        .build();
  }

  @Override
  public void save(Path file, TrainingRecord training) {
    throw new InvalidRequestException(TribuoEngine.NETWORK + " cannot be saved.");
  }

  @Override
  public void close() {}
}
