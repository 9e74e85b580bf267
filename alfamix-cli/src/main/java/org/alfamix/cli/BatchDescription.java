package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.alfamix.select.Batch;

/** Prints the result of a dry run. */
record BatchDescription(Batch batch, int excluded) {

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "pool        %,d items with %d features, ids %s%n",
        batch.pool().size(),
        batch.pool().features(),
        batch.pool().hasIds() ? "such as " + batch.pool().id(0) : "are row numbers");
    out.printf(
        Locale.ROOT,
        "labelled    %,d%nexcluded    %,d%nunlabelled  %,d%n",
        batch.scope().labelled(),
        excluded,
        batch.scope().eligible().length);
    out.printf(
        "classes     %d%s%n",
        batch.scope().classes(),
        batch.list().classNames() == null ? "" : ": " + shortened(batch.list().classNames()));
    out.printf("strategy    %s %s%n", batch.request().strategy(), batch.request().options());
    out.printf("budget      %d, seed %d%n", batch.request().budget(), batch.request().seed());
    out.println("All inputs are valid. Nothing was selected (--dry-run).");
    out.flush();
  }

  private static String shortened(List<String> names) {
    return names.size() <= 10
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 10)) + ", …";
  }
}
