package org.alfamix.inspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.alfamix.inspect.Inspection.ClassFlip;
import org.alfamix.inspect.Inspection.Move;
import org.alfamix.inspect.Inspection.Neighbour;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.mix.GradientStep;
import org.alfamix.mix.LinearFlips;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * Explains the prediction of any embedding, whether selected or labelled or not: the classes
 * towards which it flips, the flip caps, the features that change, and the nearest labelled items.
 *
 * <p>Mixing ratios are in closed form. With a linear head, flip caps are exact. Any other head is
 * evaluated at increasing caps up to {@link #MAX_CAP}; the flip cap is then refined by bisection.
 */
public final class Inspector {
  /** Largest cap at which a non-linear head is evaluated. */
  public static final double MAX_CAP = 2;

  private static final double CAP_STEP = 0.2;
  private static final int BISECTIONS = 20;
  private static final int MOVES = 3;
  private static final int NEIGHBOURS = 6;

  private final Snapshot snapshot;

  /** The anchors; a row of zeros if items move along their gradient. */
  private final FloatMatrix anchors;

  /** The step along the gradient; null if items are mixed with anchors. */
  private final GradientStep gradientStep;

  private final int[] labels;
  private final LinearFlips linear;

  /** Creates an inspector that uses the head and the labelled items of a snapshot, if present. */
  public Inspector(Snapshot snapshot) {
    this(snapshot, defaultAnchors(snapshot), null);
  }

  /** Creates an inspector with the anchors or the gradient step of the given candidates. */
  public Inspector(Snapshot snapshot, Candidates candidates) {
    this(
        snapshot,
        candidates.anchors().orElse(FloatMatrix.zeros(1, snapshot.features())),
        candidates.gradientStep().orElse(null));
  }

  private Inspector(Snapshot snapshot, FloatMatrix anchors, GradientStep gradientStep) {
    this.snapshot = snapshot;
    this.labels = snapshot.labels();
    this.gradientStep = gradientStep;
    this.anchors = anchors;
    this.linear =
        snapshot.head().orElse(null) instanceof LinearHead head && anchors.rows() > 0
            ? gradientStep == null
                ? new LinearFlips(head, anchors)
                : LinearFlips.adversarial(head, gradientStep)
            : null;
  }

  /** Returns the class means, or a matrix without rows if there are no labelled items. */
  private static FloatMatrix defaultAnchors(Snapshot snapshot) {
    return snapshot.labelled().rows() == 0
        ? FloatMatrix.zeros(0, snapshot.features())
        : Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
  }

  /** Inspects one item. */
  public Inspection inspect(float[] embedding) {
    FloatMatrix item = FloatMatrix.wrap(embedding.clone(), 1, embedding.length);
    if (embedding.length != snapshot.features()) {
      throw new IllegalArgumentException(
          "item: expected %d features, found %d.".formatted(snapshot.features(), embedding.length));
    }
    item.requireFinite("item");
    if (!Float.isFinite(Kernels.squaredNorm(item, 0))) {
      throw new IllegalArgumentException("item: the squared norm exceeds the range of float.");
    }
    if (snapshot.head().isEmpty()) {
      return new Inspection(-1, new double[0], List.of(), nearest(item));
    }
    Head head = snapshot.head().get();
    FloatMatrix p = head.logits(item);
    // Before the softmax, which may round different values to equal ones.
    int predicted = Kernels.argmax(p.array(), p.rowOffset(0), p.columns());
    Kernels.softmaxRows(p);
    double[] probabilities =
        IntStream.range(0, p.columns()).mapToDouble(k -> p.get(0, k)).toArray();
    FloatMatrix direction = head.lossDirection(item, new int[] {predicted});
    Kernels.normalizeRows(direction);
    Flip[] flips = linear != null ? linear.flipsByAnchor(item)[0] : searchFlips(head, item);
    List<ClassFlip> classes = new ArrayList<>();
    for (int k = 0; k < anchors.rows(); k++) {
      classes.add(classFlip(item, k, flips[k], direction));
    }
    classes.sort(Comparator.comparingDouble(ClassFlip::cap).thenComparingInt(ClassFlip::anchor));
    return new Inspection(predicted, probabilities, classes, nearest(item));
  }

  private Flip[] searchFlips(Head head, FloatMatrix item) {
    Flip[] result = new Flip[anchors.rows()];
    for (int k = 0; k < result.length; k++) {
      MixedFlips test =
          gradientStep == null
              ? MixedFlips.closedForm(head, anchors.slice(k, k + 1))
              : MixedFlips.adversarial(head, gradientStep);
      result[k] = searchFlip(test, item);
    }
    return result;
  }

  private static Flip searchFlip(MixedFlips test, FloatMatrix item) {
    double low = 0;
    Flip found = null;
    for (int step = 1; found == null && step * CAP_STEP < MAX_CAP + 1e-9; step++) {
      found = test.flips(item, step * CAP_STEP)[0];
      low = found == null ? step * CAP_STEP : low;
    }
    for (int b = 0; found != null && b < BISECTIONS; b++) {
      double middle = (low + found.cap()) / 2;
      Flip flip = test.flips(item, middle)[0];
      if (flip == null) {
        low = middle;
      } else {
        found = flip;
      }
    }
    return found;
  }

  private ClassFlip classFlip(FloatMatrix item, int k, Flip flip, FloatMatrix direction) {
    int features = item.columns();
    double distance =
        gradientStep == GradientStep.FIXED
            ? 1
            : Math.sqrt(
                Kernels.squaredDistance(
                    item.array(), 0, anchors.array(), anchors.rowOffset(k), features));
    int anchor = gradientStep == null ? k : -1;
    int count = (int) IntStream.of(labels).filter(label -> label == anchor).count();
    if (flip == null) {
      double never = Double.POSITIVE_INFINITY;
      return new ClassFlip(anchor, count, distance, never, never, -1, List.of());
    }
    double share = flip.share(features);
    List<Move> moves = moves(item, k, share * distance, direction);
    return new ClassFlip(anchor, count, distance, flip.cap(), share, flip.flipsTo(), moves);
  }

  /** Returns the largest moves of a step; features that item and anchor share do not move. */
  private List<Move> moves(FloatMatrix item, int k, double length, FloatMatrix direction) {
    return IntStream.range(0, item.columns())
        .filter(d -> gradientStep != null || item.get(0, d) != anchors.get(k, d))
        .mapToObj(d -> new Move(d, item.get(0, d), item.get(0, d) + length * direction.get(0, d)))
        .sorted(
            Comparator.<Move>comparingDouble(move -> -Math.abs(move.to() - move.from()))
                .thenComparingInt(Move::feature))
        .limit(MOVES)
        .toList();
  }

  private List<Neighbour> nearest(FloatMatrix item) {
    FloatMatrix labelled = snapshot.labelled();
    return IntStream.range(0, labelled.rows())
        .mapToObj(
            i ->
                new Neighbour(
                    i,
                    labels[i],
                    Math.sqrt(
                        Kernels.squaredDistance(
                            item.array(),
                            0,
                            labelled.array(),
                            labelled.rowOffset(i),
                            item.columns()))))
        .sorted(Comparator.comparingDouble(Neighbour::distance).thenComparingInt(Neighbour::index))
        .limit(NEIGHBOURS)
        .toList();
  }
}
