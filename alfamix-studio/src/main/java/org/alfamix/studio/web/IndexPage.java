package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Project;

/** All projects. */
final class IndexPage {
  private final Studio studio;

  IndexPage(Studio studio) {
    this.studio = studio;
  }

  void register(RoutesConfig routes) {
    routes.get("/", this::page);
  }

  private void page(Context context) {
    List<Project> projects = studio.store().projects();
    Html body = new Html().add("<main><h1>Projects</h1>");
    if (projects.isEmpty()) {
      body.add("<p>There is none yet. In a terminal:</p>");
    } else {
      body.add("<table class=\"projects\"><tr><th>project</th><th>labelled</th><th></th></tr>");
      for (Project project : projects) {
        int all = studio.store().items(project.id());
        int done = studio.store().countLabels(project.id());
        body.add(
            "<tr><td><a href=\"%s\">%s</a></td><td><progress max=\"%s\" value=\"%s\""
                + " aria-label=\"labelled\"></progress> %s of %s</td>"
                + "<td><a href=\"%s/dashboard\">dashboard</a></td></tr>",
            Layout.path(project), project.name(), all, done, done, all, Layout.path(project));
      }
      body.add("</table><p>To make another one, in a terminal:</p>");
    }
    body.add("<pre>alfamix studio new demo --data digits");
    body.add("alfamix studio new birds --images ./birds --classes heron,egret,stork</pre>");
    body.add(
        "<p class=\"soft\">Programs: <a href=\"/api/openapi.yaml\">the REST interface</a>.</p>");
    body.add("</main>");
    Layout.page(context, "projects", null, "", body);
  }
}
