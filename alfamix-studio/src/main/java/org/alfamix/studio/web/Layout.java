package org.alfamix.studio.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.studio.store.Project;

/** Addresses, the frame that all pages share, and their static files. */
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
  private static final int MAX_NAME_LENGTH = 80;
  private static final List<String> PLACES = List.of("label", "grid", "items", "dashboard");

  private Layout() {}

  /** Returns the version of the build, from its package. */
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

  /** Returns the name of the annotator at the browser, {@code me} by default. */
  static String annotator(Context context) {
    String name = context.cookie(ANNOTATOR);
    if (name == null) {
      return "me";
    }
    String decoded;
    try {
      decoded = URLDecoder.decode(name, StandardCharsets.UTF_8).strip();
    } catch (IllegalArgumentException e) {
      return "me"; // not our cookie
    }
    return decoded.isEmpty() || decoded.length() > MAX_NAME_LENGTH ? "me" : decoded;
  }

  private static void setAnnotator(Context context) {
    String name = context.formParam("name");
    if (name == null || name.isBlank() || name.strip().length() > MAX_NAME_LENGTH) {
      throw new InvalidRequestException(
          "name", "is '%s', expected 1 to %d characters.".formatted(name, MAX_NAME_LENGTH));
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

  /** Returns the address of a project's pages. */
  static String path(Project project) {
    return "/p/" + encode(project.name());
  }

  /** Returns the address of an item's page. */
  static String item(Project project, int item) {
    return path(project) + "/items/" + item;
  }

  /** Returns the address of an item's content. */
  static String content(Project project, int item) {
    // Includes the project's id: a later project of the same name has different pictures.
    return "/api/projects/%s/items/%d/content?of=%d"
        .formatted(encode(project.name()), item, project.id());
  }

  static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Returns the frame of a page outside projects. */
  static Frame frame(Context context, String title) {
    return new Frame(title, null, annotator(context), Guard.HEADER, List.of());
  }

  /**
   * Returns the frame of a page of a project.
   *
   * @param place which of its pages; empty for none of them
   */
  static Frame frame(Context context, String title, Project project, String place) {
    List<Frame.Place> places =
        PLACES.stream()
            .map(
                each ->
                    new Frame.Place(
                        "place." + each,
                        path(project) + (each.equals("label") ? "" : "/" + each),
                        each.equals(place)))
            .toList();
    return new Frame(title, project, annotator(context), Guard.HEADER, places);
  }
}
