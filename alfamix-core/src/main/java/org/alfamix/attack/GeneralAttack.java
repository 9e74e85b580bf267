package org.alfamix.attack;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;
import org.alfamix.model.Network;

/**
 * DeepFool on any network that provides gradients. Batches stay full: the next item replaces an
 * item that has changed its class, so that a few slow items do not run in small batches.
 */
final class GeneralAttack {
  /** Number of items per stream of batches; streams run in parallel. */
  private static final int STREAM = 4096;

  /** Maximum number of gradient values per batch, 64 MB. */
  private static final int MAX_VALUES = 1 << 24;

  private static final int MAX_ITEMS = 256;

  /** Marks a finished item, in place of its number of steps. */
  private static final int DONE = Integer.MAX_VALUE;

  private final DeepFool options;
  private final Network network;
  private final int batchSize;

  GeneralAttack(DeepFool options, Network network) {
    this.options = options;
    this.network = network;
    long perItem = (long) network.classes() * network.inputs();
    this.batchSize = (int) Math.max(1, Math.min(MAX_ITEMS, MAX_VALUES / Math.max(1, perItem)));
  }

  Perturbations run(Rows inputs) {
    Perturbations result = Perturbations.of(inputs.rows());
    Parallel.forBlocks(
        inputs.rows(), STREAM, (from, to) -> new Stream(inputs, from, to, result).run());
    return result;
  }

  /** A range of items that are processed in a single, continuously refilled batch. */
  private final class Stream {
    private final Rows inputs;
    private final int end;
    private final Perturbations result;
    private int next;

    /** The batch; its first {@code count} rows are in use. */
    private final FloatMatrix start = FloatMatrix.zeros(batchSize, network.inputs());

    private final FloatMatrix moved = FloatMatrix.zeros(batchSize, network.inputs());
    private final FloatMatrix perturbation = FloatMatrix.zeros(batchSize, network.inputs());
    private final int[] item = new int[batchSize];
    private final int[] predicted = new int[batchSize];
    private final int[] steps = new int[batchSize];

    /** Total length of all steps. */
    private final double[] travelled = new double[batchSize];

    private int count;

    Stream(Rows inputs, int from, int to, Perturbations result) {
      this.inputs = inputs;
      this.next = from;
      this.end = to;
      this.result = result;
    }

    void run() {
      while (true) {
        fill();
        if (count == 0) {
          return;
        }
        step();
        removeFinished();
      }
    }

    private void fill() {
      int fresh = Math.min(batchSize - count, end - next);
      if (fresh == 0) {
        return;
      }
      FloatMatrix block = inputs.slice(next, next + fresh);
      block.copyTo(start, count);
      block.copyTo(moved, count);
      for (int slot = count; slot < count + fresh; slot++) {
        int row = perturbation.rowOffset(slot);
        Arrays.fill(perturbation.array(), row, row + perturbation.columns(), 0);
        item[slot] = next++;
        steps[slot] = 0;
        travelled[slot] = 0;
      }
      count += fresh;
    }

    /**
     * Moves every item of the batch to the nearest boundary of the network linearized at the item.
     */
    private void step() {
      Network.Linearization around = network.linearize(moved.slice(0, count));
      for (int slot = 0; slot < count; slot++) {
        float[] logits = around.logits().row(slot);
        if (steps[slot] == 0) {
          predicted[slot] = Kernels.argmax(logits, 0, logits.length);
        }
        steps[slot]++;
        if (!move(slot, logits, around.gradients())) {
          steps[slot] = DONE;
        }
      }
    }

    /**
     * Moves an item; returns false, after setting its result, if it has no boundary or is on one.
     */
    private boolean move(int slot, float[] logits, FloatMatrix gradients) {
      int y = predicted[slot];
      int first = slot * logits.length;
      double least = Double.POSITIVE_INFINITY;
      double squaredNorm = 0;
      int nearest = -1;
      for (int k = 0; k < logits.length; k++) {
        if (k != y) {
          double squared =
              DeepFool.requireFinite(
                  Kernels.squaredDistance(
                      gradients.array(),
                      gradients.rowOffset(first + k),
                      gradients.array(),
                      gradients.rowOffset(first + y),
                      gradients.columns()));
          double distance = Math.abs(logits[k] - logits[y]) / Math.sqrt(squared);
          if (squared > 0 && distance < least) {
            least = distance;
            squaredNorm = squared;
            nearest = k;
          }
        }
      }
      if (nearest < 0) {
        result.set(item[slot], Kernels.squaredNorm(perturbation, slot), y, y);
        return false;
      }
      float mean = mean(logits);
      if (DeepFool.isOnBoundary(logits[y] - mean, logits[nearest] - mean, least, travelled[slot])) {
        result.set(item[slot], Kernels.squaredNorm(perturbation, slot), y, nearest);
        return false;
      }
      travelled[slot] += least;
      float length = (float) (least / Math.sqrt(squaredNorm) * (1 + options.overshoot()));
      float[] r = perturbation.array();
      int row = perturbation.rowOffset(slot);
      int columns = gradients.columns();
      Kernels.axpy(
          length, gradients.array(), gradients.rowOffset(first + nearest), r, row, columns);
      Kernels.axpy(-length, gradients.array(), gradients.rowOffset(first + y), r, row, columns);
      int at = moved.rowOffset(slot);
      System.arraycopy(start.array(), start.rowOffset(slot), moved.array(), at, columns);
      Kernels.axpy(1, r, row, moved.array(), at, columns);
      return true;
    }

    /** Returns the mean logit. An offset common to all logits must not affect the boundary test. */
    private static float mean(float[] logits) {
      double sum = 0;
      for (float logit : logits) {
        sum += logit;
      }
      return (float) (sum / logits.length);
    }

    /**
     * Removes items that have changed class, used all steps or finished, and compacts the batch.
     */
    private void removeFinished() {
      FloatMatrix logits = network.logits(moved.slice(0, count));
      int kept = 0;
      for (int slot = 0; slot < count; slot++) {
        int now = Kernels.argmax(logits.array(), logits.rowOffset(slot), logits.columns());
        if (steps[slot] == DONE) {
          continue;
        }
        if (now != predicted[slot] || steps[slot] >= options.maxSteps()) {
          double squared = Kernels.squaredNorm(perturbation, slot);
          result.set(item[slot], squared, predicted[slot], now);
        } else {
          if (kept < slot) {
            start.slice(slot, slot + 1).copyTo(start, kept);
            moved.slice(slot, slot + 1).copyTo(moved, kept);
            perturbation.slice(slot, slot + 1).copyTo(perturbation, kept);
            item[kept] = item[slot];
            predicted[kept] = predicted[slot];
            steps[kept] = steps[slot];
            travelled[kept] = travelled[slot];
          }
          kept++;
        }
      }
      count = kept;
    }
  }
}
