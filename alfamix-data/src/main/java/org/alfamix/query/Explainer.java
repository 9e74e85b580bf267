package org.alfamix.query;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.alfamix.inspect.Inspection;
import org.alfamix.inspect.Inspector;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;
import org.alfamix.mix.Candidates;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;

/** Tells of any item of a pool why it is in a batch, or why not. */
final class Explainer {
  private final Batch batch;
  private final Labels labels;
  private final Rows embeddings;
  private final Inspector inspector;
  private final boolean capped;

  /**
   * @param embeddings of the whole pool, as the method saw them
   * @param capped whether a cap per class made several selections of one
   */
  Explainer(Batch batch, Labels labels, Rows embeddings, Snapshot snapshot, boolean capped) {
    this.batch = batch;
    this.labels = labels;
    this.embeddings = embeddings;
    this.capped = capped;
    Optional<Candidates> flips = Optional.ofNullable(batch.selection()).flatMap(Selection::flips);
    this.inspector =
        flips.isPresent()
            ? new Inspector(snapshot, flips.get().anchors())
            : new Inspector(snapshot);
  }

  Explanation explain(int row) {
    FloatMatrix item = embeddings.slice(row, row + 1);
    Inspection inspection = inspector.inspect(item.row(0));
    int[] labelled = labels.rows();
    List<String> nearest =
        inspection.nearest().stream()
            .map(neighbour -> batch.pool().id(labelled[neighbour.index()]))
            .toList();
    return new Explanation(row, verdict(row, inspection), inspection, nearest);
  }

  private String verdict(int row, Inspection inspection) {
    Optional<String> label = labels.label(row);
    if (label.isPresent()) {
      return "labelled " + label.get();
    }
    int item = Arrays.binarySearch(batch.eligible(), row);
    if (item < 0) {
      return "excluded";
    }
    if (batch.selection() == null) {
      return "unlabelled; nothing was chosen";
    }
    for (int rank = 0; rank < batch.picks().size(); rank++) {
      Pick pick = batch.picks().get(rank);
      if (pick.item() == row) {
        return "picked, rank %d of %d: %s".formatted(rank + 1, batch.picks().size(), pick.reason());
      }
    }
    return batch
        .selection()
        .flips()
        .map(flips -> unpicked(flips, item, inspection))
        .orElse("not picked by " + batch.strategy());
  }

  private String unpicked(Candidates flips, int item, Inspection inspection) {
    int c = Arrays.binarySearch(flips.items(), item);
    String cap = twoDigits(flips.cap());
    if (c < 0) {
      boolean closedForm = "closed-form".equals(batch.options().get("alpha"));
      if (!closedForm || inspection.classes().isEmpty()) {
        return "no candidate: none of its mixes up to the cap of " + cap + " flipped it";
      }
      double least = inspection.classes().get(0).cap();
      return Double.isInfinite(least)
          ? "no candidate: no mix flips it"
          : "no candidate: it flips at cap %s, and the cap was %s".formatted(twoDigits(least), cap);
    }
    String candidate = "a candidate that flips at cap " + twoDigits(flips.flip(c).cap());
    int cluster = batch.selection().clusters().map(clusters -> clusters[c]).orElse(-1);
    if (cluster >= 0 && !capped) {
      for (Pick pick : batch.picks()) {
        if (pick.cluster() == cluster) {
          return "%s, but %s is nearer to the centre of its cluster %d"
              .formatted(candidate, batch.pool().id(pick.item()), cluster);
        }
      }
    }
    return candidate + ", but not picked";
  }

  private static String twoDigits(double value) {
    return String.format(Locale.ROOT, "%.2g", value);
  }
}
