package org.alfamix.torch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.io.DataException;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.math.Parallel;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * One fit: epochs of training steps on batches. Labelled items stay in memory as a tensor, unless
 * there are too many, or each epoch needs other random views of them: then each batch is read when
 * it is needed.
 */
final class Training implements AutoCloseable {
  private static final int READ_BLOCK = 8;

  /** The index of random views among the random streams of a seed; that of orders is 1. */
  private static final int VIEWS = 2;

  /** Maximum number of values that are kept in memory: 1 GB. */
  static final long MAX_CACHED_VALUES = 1L << 28;

  private final Classifier classifier;
  private final TrainingOptions options;
  private final Device device;
  private final long seed;
  private final ScaledInputs items;

  /** The inputs; null if they are read batch by batch. */
  private final Tensor inputs;

  private final Tensor labels;
  private final int size;
  private final List<FusedAdam> optimizers;
  private final DeviceTurns turns;

  Training(
      Classifier classifier,
      ScaledInputs items,
      int[] labels,
      TrainingOptions options,
      Device device,
      long seed,
      long maxCachedValues) {
    this.classifier = classifier;
    this.items = items;
    this.options = options;
    this.device = device;
    this.seed = seed;
    this.size = items.rows();
    this.turns = DeviceTurns.of(device);
    if (size == 0) {
      throw new DataException("No labelled items to train on.");
    }
    if (classifier.backbone().requiresSeveralItems() && Math.min(size, options.batch()) == 1) {
      throw new DataException(
          "This network requires at least two items per step: %s."
              .formatted(size == 1 ? "label at least two" : "use a batch size of at least 2"));
    }
    boolean readPerBatch =
        items.inputs().hasRandomViews() || (long) size * items.columns() > maxCachedValues;
    this.inputs = readPerBatch ? null : Tensors.keep(() -> read(items));
    this.labels = Tensors.keep(() -> Tensors.of(labels, device));
    this.optimizers = optimizers(classifier.parameters().trainable(), options.optimization());
  }

  /**
   * Creates the optimizers: weight decay applies to matrices and kernels, not to biases and norms.
   */
  private static List<FusedAdam> optimizers(
      Map<String, Tensor> trainable, Optimization optimization) {
    if (optimization.weightDecay() == 0) {
      return List.of(new FusedAdam(trainable, optimization.method(), 0));
    }
    Map<String, Tensor> vectors = new LinkedHashMap<>(trainable);
    vectors.values().removeIf(tensor -> tensor.dim() > 1);
    Map<String, Tensor> others = new LinkedHashMap<>(trainable);
    others.keySet().removeAll(vectors.keySet());
    List<FusedAdam> optimizers = new ArrayList<>();
    if (!others.isEmpty()) {
      optimizers.add(new FusedAdam(others, optimization.method(), optimization.weightDecay()));
    }
    if (!vectors.isEmpty()) {
      optimizers.add(new FusedAdam(vectors, optimization.method(), 0));
    }
    return optimizers;
  }

  private Tensor read(ScaledInputs some) {
    int length = some.columns();
    int count = some.rows();
    if ((long) count * length > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "A batch of %d items of %d values does not fit in memory; use a smaller batch size."
              .formatted(count, length));
    }
    float[] values = new float[count * length];
    Parallel.forBlocks(count, READ_BLOCK, (from, to) -> some.read(from, to, values, from * length));
    return Tensors.of(values, device, classifier.batchShape(count));
  }

  private Tensor batch(int epoch, int[] order, int from, int to, Tensor chosen) {
    if (inputs != null) {
      return inputs.index_select(0, chosen);
    }
    ScaledInputs some = items.at(Arrays.copyOfRange(order, from, to));
    return items.inputs().hasRandomViews() ? randomViews(epoch, some) : read(some);
  }

  /** Reads random views, which depend on the seed, the epoch and the item, but not on threads. */
  private Tensor randomViews(int epoch, ScaledInputs some) {
    int length = some.columns();
    byte[] values = new byte[Math.multiplyExact(some.rows(), length)];
    long ofEpoch = Seeds.at(seed, VIEWS, epoch).nextLong();
    Parallel.forBlocks(
        some.rows(),
        1,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int item = some.items()[i];
            SplittableRandom random = Seeds.at(ofEpoch, VIEWS, item);
            some.inputs().readRandomView(item, random, values, i * length);
          }
        });
    return Tensors.scaled(values, some.rows(), classifier.input(), some.scaling(), device);
  }

  /** Trains until the goal or the maximum number of epochs is reached. */
  Fit run(Learner.FitListener listener) {
    long start = System.nanoTime();
    int epoch = 0;
    double accuracy;
    double loss;
    try (PointerScope scope = new PointerScope()) {
      Tensor correct = Tensors.of(new int[] {0}, device);
      Tensor lossSum = Tensors.of(new float[] {0}, device, 1);
      do {
        correct.zero_();
        lossSum.zero_();
        epoch(epoch++, correct, lossSum);
        accuracy = (double) correct.item_long() / size;
        loss = lossSum.item_double() / size;
        if (!Double.isFinite(loss)) {
          throw new DataException(
              "Training diverged: the loss is %2$s after epoch %1$d. Try a lower learning rate."
                  .formatted(epoch, loss));
        }
        listener.epoch(epoch, accuracy, loss);
      } while (accuracy < options.goal() && epoch < options.epochs());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Fit(epoch, accuracy, loss, (long) epoch * size, seconds);
  }

  private void epoch(int epoch, Tensor correct, Tensor lossSum) {
    SplittableRandom random = Seeds.at(seed, 1, epoch);
    int[] order = RandomIndices.distinct(size, size, random);
    try (PointerScope outer = new PointerScope()) {
      Tensor orders = Tensors.of(order, device);
      int[] starts = batchStarts();
      for (int b = 0; b < starts.length; b++) {
        int from = starts[b];
        int to = b + 1 < starts.length ? starts[b + 1] : size;
        try (PointerScope scope = new PointerScope()) {
          Tensor chosen = orders.narrow(0, from, to - from);
          double progress = epoch + (double) b / starts.length;
          double rate = options.optimization().rate(options.rate(), progress, options.epochs());
          step(batch(epoch, order, from, to, chosen), chosen, rate, random, correct, lossSum);
        }
      }
    }
  }

  /** Returns the starts of batches; a single remaining item joins the last batch if necessary. */
  private int[] batchStarts() {
    int batch = Math.min(options.batch(), size);
    int batches = (size + batch - 1) / batch;
    if (size % batch == 1 && batches > 1 && classifier.backbone().requiresSeveralItems()) {
      batches--;
    }
    int[] starts = new int[batches];
    Arrays.setAll(starts, b -> b * batch);
    return starts;
  }

  private void step(
      Tensor batch,
      Tensor chosen,
      double rate,
      SplittableRandom random,
      Tensor correct,
      Tensor lossSum) {
    Tensor x = augment(batch, random);
    Tensor y = labels.index_select(0, chosen);
    Tensor mask = mask(chosen.numel(), random);
    Tensor logits = classifier.forwardForTraining(x, random, mask).logits();
    Tensor loss = torch.cross_entropy_loss(logits, y);
    turns.take(
        () -> {
          loss.backward();
          return null;
        });
    optimizers.forEach(optimizer -> optimizer.step(rate));
    correct.add_(logits.detach().argmax(new LongOptional(1), false).eq(y).sum());
    lossSum.add_(loss.detach(), new Scalar((double) chosen.numel()));
  }

  /** Pads each image with zeros and crops it at random; mirrors it with probability ½. */
  private Tensor augment(Tensor x, SplittableRandom random) {
    Augmentation augmentation = options.augmentation();
    if (augmentation.isNone() || !classifier.input().isImage()) {
      return x;
    }
    int padding = augmentation.padding();
    long height = x.size(2);
    long width = x.size(3);
    Tensor padded = torch.constant_pad_nd(x, new long[] {padding, padding, padding, padding});
    Tensor result = torch.empty_like(x);
    for (long i = 0; i < x.size(0); i++) {
      Tensor piece =
          padded
              .select(0, i)
              .narrow(1, random.nextInt(2 * padding + 1), height)
              .narrow(2, random.nextInt(2 * padding + 1), width);
      boolean mirrored = augmentation.flip() && random.nextBoolean();
      result.select(0, i).copy_(mirrored ? piece.flip(2) : piece);
    }
    return result;
  }

  private Tensor mask(long items, SplittableRandom random) {
    double rate = options.dropout();
    if (rate == 0) {
      return null;
    }
    int width = classifier.width();
    float[] mask = new float[Math.toIntExact(items * width)];
    float kept = (float) (1 / (1 - rate));
    for (int i = 0; i < mask.length; i++) {
      mask[i] = random.nextDouble() < rate ? 0 : kept;
    }
    return Tensors.of(mask, device, items, width);
  }

  @Override
  public void close() {
    optimizers.forEach(FusedAdam::close);
    if (inputs != null) {
      inputs.close();
    }
    labels.close();
  }
}
