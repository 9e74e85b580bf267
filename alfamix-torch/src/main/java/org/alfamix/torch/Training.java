package org.alfamix.torch;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.data.DataException;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
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
 * One fit: epochs of steps in batches. Labelled items stay in memory as a tensor, unless they are
 * so many that each batch is better read when its turn comes.
 */
final class Training implements AutoCloseable {
  private static final int READ_TOGETHER = 8;

  /** Up to so many values are kept: 1 GB. */
  static final long MOST_KEPT = 1L << 28;

  private final Classifier classifier;
  private final TrainingOptions options;
  private final Device device;
  private final long seed;
  private final ScaledInputs items;

  /** Null where they are read batch by batch. */
  private final Tensor inputs;

  private final Tensor labels;
  private final int size;
  private final FusedAdam adam;
  private final DeviceTurns turns;

  Training(
      Classifier classifier,
      ScaledInputs items,
      int[] labels,
      TrainingOptions options,
      Device device,
      long seed,
      long mostKept) {
    this.classifier = classifier;
    this.items = items;
    this.options = options;
    this.device = device;
    this.seed = seed;
    this.size = items.rows();
    this.turns = DeviceTurns.of(device);
    if (size == 0) {
      throw new DataException("There are no labelled items to fit to.");
    }
    if (classifier.backbone().needsSeveral() && Math.min(size, options.batch()) == 1) {
      throw new DataException(
          "This network needs several items in a step: %s."
              .formatted(size == 1 ? "label at least two" : "take a batch of at least 2"));
    }
    this.inputs = (long) size * items.columns() > mostKept ? null : Tensors.keep(() -> read(items));
    this.labels = Tensors.keep(() -> Tensors.of(labels, device));
    this.adam = new FusedAdam(classifier.parameters().learnt(), options.rate());
  }

  private Tensor read(ScaledInputs some) {
    int length = some.columns();
    int count = some.rows();
    if ((long) count * length > Integer.MAX_VALUE - 8) {
      throw new DataException(
          "A batch of %d items of %d values does not fit in memory.".formatted(count, length));
    }
    float[] values = new float[count * length];
    Parallel.forBlocks(
        count, READ_TOGETHER, (from, to) -> some.read(from, to, values, from * length));
    return Tensors.of(values, device, classifier.batchShape(count));
  }

  private Tensor batch(int[] order, int from, int to, Tensor chosen) {
    return inputs == null
        ? read(items.at(Arrays.copyOfRange(order, from, to)))
        : inputs.index_select(0, chosen);
  }

  /** Trains until the items are known well enough, or it has gone on for long enough. */
  Fit run(Learner.FitListener listener) {
    long start = System.nanoTime();
    int epoch = 0;
    double accuracy;
    double loss;
    try (PointerScope scope = new PointerScope()) {
      Tensor right = Tensors.of(new int[] {0}, device);
      Tensor lossSum = Tensors.of(new float[] {0}, device, 1);
      do {
        right.zero_();
        lossSum.zero_();
        epoch(epoch++, right, lossSum);
        accuracy = (double) right.item_long() / size;
        loss = lossSum.item_double() / size;
        if (!Double.isFinite(loss)) {
          throw new DataException(
              "The training went astray in epoch %d: the loss is %s. A smaller rate may help."
                  .formatted(epoch, loss));
        }
        listener.epoch(epoch, accuracy, loss);
      } while (accuracy < options.goal() && epoch < options.epochs());
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Fit(epoch, accuracy, loss, (long) epoch * size, seconds);
  }

  private void epoch(int epoch, Tensor right, Tensor lossSum) {
    SplittableRandom random = Seeds.at(seed, 1, epoch);
    int[] order = RandomIndices.distinct(size, size, random);
    try (PointerScope outer = new PointerScope()) {
      Tensor orders = Tensors.of(order, device);
      int[] starts = starts();
      for (int b = 0; b < starts.length; b++) {
        int from = starts[b];
        int to = b + 1 < starts.length ? starts[b + 1] : size;
        try (PointerScope scope = new PointerScope()) {
          Tensor chosen = orders.narrow(0, from, to - from);
          step(batch(order, from, to, chosen), chosen, random, right, lossSum);
        }
      }
    }
  }

  /** Where batches begin; one item left over joins the last where the network needs several. */
  private int[] starts() {
    int batch = Math.min(options.batch(), size);
    int batches = (size + batch - 1) / batch;
    if (size % batch == 1 && batches > 1 && classifier.backbone().needsSeveral()) {
      batches--;
    }
    int[] starts = new int[batches];
    Arrays.setAll(starts, b -> b * batch);
    return starts;
  }

  private void step(
      Tensor batch, Tensor chosen, SplittableRandom random, Tensor right, Tensor lossSum) {
    Tensor x = augmented(batch, random);
    Tensor y = labels.index_select(0, chosen);
    Tensor logits = classifier.forward(x, true, mask(chosen.numel(), random)).logits();
    Tensor loss = torch.cross_entropy_loss(logits, y);
    turns.take(
        () -> {
          loss.backward();
          return null;
        });
    adam.step();
    right.add_(logits.detach().argmax(new LongOptional(1), false).eq(y).sum());
    lossSum.add_(loss.detach(), new Scalar((double) chosen.numel()));
  }

  /** Each image anew: cut out of itself with zeros around, and every other one mirrored. */
  private Tensor augmented(Tensor x, SplittableRandom random) {
    Augmentation how = options.augmentation();
    if (how.isNone() || !classifier.input().image()) {
      return x;
    }
    int padding = how.padding();
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
      boolean mirrored = how.flip() && random.nextBoolean();
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
    adam.close();
    if (inputs != null) {
      inputs.close();
    }
    labels.close();
  }
}
