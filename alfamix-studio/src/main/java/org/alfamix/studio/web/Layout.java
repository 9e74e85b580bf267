package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.store.Project;

/** What all pages have in common, and the files they load. */
final class Layout {
  static final String HTMX =
      "/META-INF/resources/webjars/htmx.org/%s/dist/htmx.min.js".formatted(htmxVersion());
  private static final Map<String, String> FILES =
      Map.of(
          "studio.css", "studio.css",
          "studio.js", "studio.js",
          "htmx.js", HTMX,
          "icon.svg", "icon.svg");
  private static final Map<String, String> TYPES =
      Map.of(
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");
  private static final String ANNOTATOR = "alfamix-annotator";
  private static final int LONGEST_NAME = 80;

  private Layout() {}

  /** The version that was built with, as its package says. */
  private static String htmxVersion() {
    String description = "/META-INF/maven/org.webjars.npm/htmx.org/pom.properties";
    try (InputStream in = Layout.class.getResourceAsStream(description)) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(in, description));
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void register(RoutesConfig routes) {
    FILES.forEach((name, file) -> routes.get("/assets/" + name, context -> asset(context, file)));
    routes.post("/me", Layout::setAnnotator);
  }

  private static void asset(Context context, String name) {
    try (InputStream in = Layout.class.getResourceAsStream(name)) {
      String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
      context.contentType(type).result(in.readAllBytes());
      context.header("Cache-Control", "no-cache");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Who is at the browser; whoever has not said is {@code me}. */
  static String annotator(Context context) {
    String name = context.cookie(ANNOTATOR);
    if (name == null) {
      return "me";
    }
    String decoded;
    try {
      decoded = URLDecoder.decode(name, StandardCharsets.UTF_8).strip();
    } catch (IllegalArgumentException e) {
      return "me"; // somebody else's cookie
    }
    return decoded.isEmpty() || decoded.length() > LONGEST_NAME ? "me" : decoded;
  }

  private static void setAnnotator(Context context) {
    String name = context.formParam("name");
    if (name == null || name.isBlank() || name.strip().length() > LONGEST_NAME) {
      throw new InvalidRequestException(
          "name", "is '%s', expected 1 to %d characters.".formatted(name, LONGEST_NAME));
    }
    context.header(
        "Set-Cookie",
        ANNOTATOR
            + "="
            + URLEncoder.encode(name.strip(), StandardCharsets.UTF_8)
            + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    context.header("HX-Refresh", "true");
    context.status(204);
  }

  /** Where the pages of a project begin. */
  static String path(Project project) {
    return "/p/" + encode(project.name());
  }

  /** What an item looks like. */
  static String content(Project project, int item) {
    // With its id: another project of that name has other pictures.
    return "/api/projects/%s/items/%d/content?of=%d"
        .formatted(encode(project.name()), item, project.id());
  }

  static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * A page.
   *
   * @param project the one that it is about; null for none
   * @param place which of its pages; empty for none of them
   */
  static void page(Context context, String title, Project project, String place, Html body) {
    Html page = new Html();
    page.add("<!doctype html>");
    page.add("<html lang=\"en\">");
    page.add("<head>");
    page.add("<meta charset=\"utf-8\">");
    page.add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    page.add("<meta name=\"color-scheme\" content=\"light dark\">");
    page.add(
        "<meta name=\"htmx-config\""
            + " content='{\"includeIndicatorStyles\":false,\"allowEval\":false,"
            + "\"defaultSettleDelay\":0}'>");
    page.add("<title>%s – alfamix studio</title>", title);
    page.add("<link rel=\"icon\" href=\"/assets/icon.svg\">");
    page.add("<link rel=\"stylesheet\" href=\"/assets/studio.css\">");
    page.add("<script src=\"/assets/htmx.js\" defer></script>");
    page.add("<script src=\"/assets/studio.js\" type=\"module\"></script>");
    page.add("</head>");
    page.add("<body hx-headers='{\"%s\":\"page\"}'>", Guard.HEADER);
    page.add("<header><a class=\"brand\" href=\"/\">alfamix studio</a>");
    if (project != null) {
      page.add("<h1>%s</h1>", project.name());
      page.add("<nav aria-label=\"project\">");
      Map<String, String> places =
          Map.of("label", "", "grid", "/grid", "items", "/items", "dashboard", "/dashboard");
      for (String each : new String[] {"label", "grid", "items", "dashboard"}) {
        page.add(
            "<a href=\"%s%s\"%s>%s</a>",
            path(project),
            places.get(each),
            each.equals(place) ? Html.of(" aria-current=\"page\"") : "",
            each);
      }
      page.add("</nav>");
    }
    page.add(
        "<form class=\"me\" hx-post=\"/me\" hx-swap=\"none\"><label>you are <input name=\"name\""
            + " value=\"%s\" maxlength=\"80\" required autocomplete=\"nickname\"></label></form>",
        annotator(context));
    page.add("</header>");
    page.add("%s", body);
    page.add("<p id=\"trouble\" role=\"alert\" hidden></p>");
    page.add("</body>");
    page.add("</html>");
    context.html(page.toString());
  }
}
