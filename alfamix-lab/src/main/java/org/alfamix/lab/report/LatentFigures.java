package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.Round;

/** Maps of the latent space, one per method. */
final class LatentFigures {
  /** The projections to two dimensions. */
  static final List<String> PROJECTIONS = List.of("t-SNE", "PCA");

  private LatentFigures() {}

  /** Returns the maps of a setting; empty if it has none. */
  static List<Figure> of(SettingResults results, String projection) {
    List<Figure> figures = new ArrayList<>();
    if (results.latent().isEmpty()) {
      return figures;
    }
    LatentSpace space = results.latent().get();
    String setting = results.setting().name();
    for (MethodResults method : results.methods()) {
      if (method.runs().containsKey(space.seed())) {
        Round first = method.runs().get(space.seed()).rounds().get(0);
        String label = method.method().label();
        double[][] plane = projection.equals("PCA") ? space.pca() : space.tsne();
        figures.add(figure(space, first, setting, label, projection, plane));
      }
    }
    return figures;
  }

  private static Figure figure(
      LatentSpace space,
      Round first,
      String setting,
      String label,
      String projection,
      double[][] plane) {
    String title = "Latent space of %s by %s, picks of %s".formatted(setting, projection, label);
    return new Figure(
        new LatentChart(title, space, plane, first).svg(),
        "%s: picks after the first %d labels, in the latent space (%s, seed %d)."
            .formatted(label, first.labelled().length, projection, space.seed()),
        data(space, first, title, setting, label, projection, plane));
  }

  private static DataTable data(
      LatentSpace space,
      Round first,
      String title,
      String setting,
      String label,
      String projection,
      double[][] plane) {
    DataTable table =
        new DataTable(
            "latent-%s-%s-%s".formatted(projection.toLowerCase(Locale.ROOT), label, setting),
            title,
            "",
            List.of("item", "class", "x", "y", "role"));
    Set<Integer> labelled = set(first.labelled());
    Set<Integer> picks = set(first.query().map(Round.Query::picks).orElse(new int[0]));
    Set<Integer> candidates =
        set(first.query().map(Round.Query::candidateItems).orElse(new int[0]));
    for (int i = 0; i < space.items().length; i++) {
      int item = space.items()[i];
      String role = candidates.contains(item) ? "candidate" : "other";
      role = labelled.contains(item) ? "labelled" : role;
      role = picks.contains(item) ? "picked" : role;
      table.add(
          Cell.count(item),
          Cell.text(space.classNames().get(space.classes()[i])),
          Cell.number(plane[i][0], 3),
          Cell.number(plane[i][1], 3),
          Cell.text(role));
    }
    return table;
  }

  static Set<Integer> set(int[] items) {
    return Arrays.stream(items).boxed().collect(Collectors.toSet());
  }
}
