package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.alfamix.studio.store.Project;

/** What all pages have in common, and the files they load. */
final class Layout {
  private static final String HTMX = "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js";
  private static final Map<String, String> TYPES =
      Map.of("css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8");

  private Layout() {}

  static void register(RoutesConfig routes) {
    routes.get("/assets/studio.css", context -> asset(context, "studio.css", "css"));
    routes.get("/assets/studio.js", context -> asset(context, "studio.js", "js"));
    routes.get("/assets/htmx.js", context -> asset(context, HTMX, "js"));
  }

  private static void asset(Context context, String name, String type) {
    try (InputStream in = Layout.class.getResourceAsStream(name)) {
      context.contentType(TYPES.get(type)).result(in.readAllBytes());
      context.header("Cache-Control", "no-cache");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A page.
   *
   * @param project the one that it is about; null for none
   */
  static String page(String title, Project project, Html body) {
    Html page = new Html();
    page.add("<!doctype html>");
    page.add("<html lang=\"en\">");
    page.add("<head>");
    page.add("<meta charset=\"utf-8\">");
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    page.add("<meta name=\"color-scheme\" content=\"light dark\">");
    page.add(
        "<meta name=\"htmx-config\""
            + " content='{\"includeIndicatorStyles\":false,\"allowEval\":false}'>");
    page.add("<title>%s – alfamix studio</title>", title);
    page.add("<link rel=\"stylesheet\" href=\"/assets/studio.css\">");
    page.add("<script src=\"/assets/htmx.js\" defer></script>");
    page.add("<script src=\"/assets/studio.js\" type=\"module\"></script>");
    page.add("</head>");
    page.add("<body hx-headers='{\"%s\":\"page\"}'>", Guard.HEADER);
    page.add("<header><a class=\"brand\" href=\"/\">alfamix studio</a>");
    if (project != null) {
      page.add("<h1>%s</h1>", project.name());
      page.add(
          "<nav><a href=\"%s\">label</a> <a href=\"%s/dashboard\">dashboard</a></nav>",
          LabelPage.path(project), LabelPage.path(project));
    }
    page.add("</header>");
    page.add("%s", body);
    page.add("</body>");
    page.add("</html>");
    return page.toString();
  }
}
