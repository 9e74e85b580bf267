package org.alfamix.select;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.alfamix.inspect.Inspection;
import org.alfamix.inspect.Inspector;
import org.alfamix.math.Kernels;
import org.alfamix.math.Rows;
import org.alfamix.mix.Candidates;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Pick;

/** Explains why an item of a pool is in a batch or not. */
final class Explainer {
  private static final int NEIGHBOURS = 5;

  private final Batch batch;
  private final Labels labels;
  private final Rows embeddings;
  private final Inspector inspector;
  private final Optional<Rows> probabilities;
  private final int perClassCap;
  private final Supplier<List<Pick>> rankAll;
  private List<Pick> ranking;

  /** The options of ALFA-Mix; null for other strategies. */
  private final AlfaMix.Options mixing;

  /**
   * @param embeddings embeddings of the whole pool, as the strategy saw them
   * @param probabilities given probabilities of the whole pool
   * @param perClassCap maximum number of picks of one predicted class
   * @param rankAll ranks all items if the strategy is a ranking; called at most once
   */
  Explainer(
      Batch batch,
      Labels labels,
      Rows embeddings,
      Snapshot snapshot,
      Optional<Rows> probabilities,
      int perClassCap,
      Supplier<List<Pick>> rankAll) {
    this.batch = batch;
    this.labels = labels;
    this.embeddings = embeddings;
    this.probabilities = probabilities;
    this.perClassCap = perClassCap;
    this.rankAll = rankAll;
    this.mixing =
        batch.request().strategy().equals(AlfaMix.ENTRY.name())
            ? AlfaMix.ENTRY.read(batch.request().options())
            : null;
    Optional<Candidates> flips = batch.mixing().map(MixDiagnostics::candidates);
    this.inspector =
        flips.isPresent() ? new Inspector(snapshot, flips.get()) : new Inspector(snapshot);
  }

  Explanation explain(int row) {
    float[] item = embeddings.slice(row, row + 1).row(0);
    // Only excluded items can have invalid values; all others were checked.
    boolean usable =
        Kernels.allFinite(item, 0, item.length)
            && Float.isFinite(Kernels.dot(item, 0, item, 0, item.length));
    Inspection inspection =
        usable
            ? withoutItself(row, inspector.inspect(item))
            : new Inspection(-1, new double[0], List.of(), List.of());
    String verdict = verdict(row, inspection);
    if (!usable) {
      verdict += "; " + embeddings.describe(row) + " has values that are not finite or too large";
    }
    int[] labelled = labels.rows();
    List<String> nearest =
        inspection.nearest().stream()
            .map(neighbour -> batch.pool().id(labelled[neighbour.index()]))
            .toList();
    return new Explanation(row, verdict, inspection, nearest, given(row), usable);
  }

  private double[] given(int row) {
    return probabilities
        .map(rows -> rows.slice(row, row + 1).row(0))
        .filter(p -> Kernels.allFinite(p, 0, p.length))
        .map(p -> IntStream.range(0, p.length).mapToDouble(k -> p[k]).toArray())
        .orElse(new double[0]);
  }

  /** A labelled item does not count as its own neighbour. */
  private Inspection withoutItself(int row, Inspection inspection) {
    int[] labelled = labels.rows();
    return new Inspection(
        inspection.predicted(),
        inspection.probabilities(),
        inspection.classes(),
        inspection.nearest().stream()
            .filter(each -> labelled[each.index()] != row)
            .limit(NEIGHBOURS)
            .toList());
  }

  private String verdict(int row, Inspection inspection) {
    Optional<String> label = labels.label(row);
    if (label.isPresent()) {
      return "labelled " + label.get();
    }
    int item = Arrays.binarySearch(batch.scope().eligible(), row);
    if (item < 0) {
      return "excluded";
    }
    if (batch.selection().isEmpty()) {
      return "unlabelled; nothing was selected";
    }
    for (int rank = 0; rank < batch.picks().size(); rank++) {
      Pick pick = batch.picks().get(rank);
      if (pick.item() == row) {
        return "picked, rank %d of %d: %s".formatted(rank + 1, batch.picks().size(), pick.reason());
      }
    }
    int predicted = predicted(row, inspection);
    if (batch.picks().stream().filter(pick -> pick.predicted() == predicted).count()
        >= perClassCap) {
      return "not picked: its predicted class %s has reached the limit of picks per class (%d)"
          .formatted(batch.className(predicted), perClassCap);
    }
    if (perClassCap < Integer.MAX_VALUE && mixing != null) {
      // There were several selections with separate caps and clusters.
      return inspection.classes().isEmpty() || !inspection.classes().get(0).flips()
          ? "not picked: its prediction never flips"
          : "not picked; its prediction flips at a cap of "
              + number(inspection.classes().get(0).cap());
    }
    return batch
        .mixing()
        .map(mixes -> unpicked(mixes.candidates(), item, inspection))
        .orElseGet(() -> "not picked by " + batch.request().strategy() + ranked(row));
  }

  /** Returns the rank of an item among all, for a strategy that is a ranking. */
  private String ranked(int row) {
    if (ranking == null) {
      ranking = rankAll.get();
    }
    for (int rank = 0; rank < ranking.size(); rank++) {
      Pick pick = ranking.get(rank);
      if (pick.item() == row) {
        double last = batch.picks().get(batch.picks().size() - 1).score();
        return ": rank %d of %d with a score of %s; the last pick has %s"
            .formatted(rank + 1, ranking.size(), unlike(pick.score(), last), number(last));
      }
    }
    return "";
  }

  private int predicted(int row, Inspection inspection) {
    return probabilities
        .map(rows -> rows.slice(row, row + 1).row(0))
        .map(p -> Kernels.argmax(p, 0, p.length))
        .orElse(inspection.predicted());
  }

  private String unpicked(Candidates flips, int item, Inspection inspection) {
    boolean closedForm = mixing.alpha() == AlfaMix.Alpha.CLOSED_FORM;
    int c = Arrays.binarySearch(flips.items(), item);
    if (c >= 0) {
      String cap = number(flips.flip(c).cap());
      return (closedForm
              ? "a candidate that flips at a cap of " + cap
              : "a candidate: mixing ratios of up to " + cap + " flipped it")
          + ", but "
          + whyNot(flips, c);
    }
    if (!closedForm) {
      return "not a candidate: mixing ratios of up to %s do not flip it"
          .formatted(number(flips.cap()));
    }
    double least =
        inspection.classes().isEmpty()
            ? Double.POSITIVE_INFINITY
            : inspection.classes().get(0).cap();
    return Double.isInfinite(least)
        ? "not a candidate: its prediction never flips"
        : "not a candidate: it flips at a cap of %s, above the cap of %s"
            .formatted(unlike(least, flips.cap()), number(flips.cap()));
  }

  /** Returns the reason why a candidate was not picked. */
  private String whyNot(Candidates flips, int c) {
    double last = batch.picks().get(batch.picks().size() - 1).score();
    return switch (mixing.picks()) {
      case SMALLEST_NORM -> {
        double norm = flips.mixes(false)[c].norm();
        yield "the norm of its ratios is %s; the last pick has %s"
            .formatted(unlike(norm, last), number(last));
      }
      case LARGEST_DIVERGENCE -> {
        double divergence = flips.mixes(true)[c].divergence();
        yield "the divergence of its mixes is %s; the last pick has %s"
            .formatted(unlike(divergence, last), number(last));
      }
      case KMEANS -> {
        int cluster =
            batch.mixing().flatMap(MixDiagnostics::clusters).map(each -> each[c]).orElse(-1);
        yield batch.picks().stream()
            .filter(pick -> cluster >= 0 && pick.cluster() == cluster)
            .findFirst()
            .map(pick -> batch.pool().id(pick.item()) + " represents its cluster " + cluster)
            .orElse("not picked");
      }
      case KMEANS_PLUS_PLUS, UNIFORM -> "it was not sampled";
    };
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }

  /** Formats a number with enough digits to tell it from another one. */
  private static String unlike(double value, double other) {
    return number(value).equals(number(other))
        ? String.format(Locale.ROOT, "%.7g", value)
        : number(value);
  }
}
