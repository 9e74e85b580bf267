package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Project;

/** The list of projects. */
final class IndexPage {
  private final Studio studio;
  private final Texts texts;

  IndexPage(Studio studio, Texts texts) {
    this.studio = studio;
    this.texts = texts;
  }

  /** A project with its progress. */
  record Row(String path, String name, int labelled, int items) {}

  void register(RoutesConfig routes) {
    routes.get("/", this::page);
  }

  private void page(Context context) {
    List<Row> rows = studio.store().projects().all().stream().map(this::row).toList();
    Frame frame = Layout.frame(context, texts.get("title.projects"));
    Pages.render(context, "index.jte", Map.of("frame", frame, "rows", rows));
  }

  private Row row(Project project) {
    return new Row(
        Layout.path(project),
        project.name(),
        studio.store().ledger().countLabels(project.id()),
        studio.store().projects().items(project.id()));
  }
}
