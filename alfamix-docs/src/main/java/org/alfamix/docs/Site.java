package org.alfamix.docs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.alfamix.chart.Svg;
import org.alfamix.docs.SitePage.Section;

/**
 * The documentation of a project as a static site: every Markdown file in {@code docs}, with {@code
 * docs/index.md} as the front page, and the changelog and the contributing guide beside them.
 *
 * <p>The pages work from a folder, without a server, and load nothing from elsewhere.
 */
final class Site {
  private static final String INDEX = "docs/index.md";
  private static final List<String> EXTRA_PAGES = List.of("CHANGELOG.md", "CONTRIBUTING.md");

  /** Files that pages link to, which become plain text files. */
  private static final Set<String> TEXTS = Set.of("LICENSE", "NOTICE");

  private static final List<String> ASSETS = List.of("site.css", "site.js");

  private final Path root;
  private final Map<String, SitePage> pages = new LinkedHashMap<>();
  private final Set<String> files = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();
  private final Navigation navigation;

  /** Reads all pages of the project in a folder. */
  Site(Path root) throws IOException {
    this.root = root;
    PageReader reader = new PageReader();
    List<String> sources = new ArrayList<>();
    try (Stream<Path> all = Files.walk(root.resolve("docs"))) {
      all.filter(file -> file.toString().endsWith(".md"))
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .sorted(Comparator.naturalOrder())
          .forEach(sources::add);
    }
    EXTRA_PAGES.stream().filter(name -> Files.exists(root.resolve(name))).forEach(sources::add);
    for (String source : sources) {
      String markdown = Files.readString(root.resolve(source));
      pages.put(
          source, reader.read(source, address(source), markdown, link -> resolve(source, link)));
    }
    navigation = Navigation.of(Files.readString(root.resolve(INDEX)));
    pages.values().forEach(this::checkLinks);
    checkNavigation();
  }

  /** Returns the address on the site of a file in the project. */
  private static String address(String source) {
    if (source.equals("README.md")) {
      return "index.html";
    }
    String path = source.startsWith("docs/") ? source.substring("docs/".length()) : source;
    if (TEXTS.contains(path)) {
      return path + ".txt";
    }
    return path.endsWith(".md")
        ? path.substring(0, path.length() - ".md".length()).toLowerCase() + ".html"
        : path;
  }

  private static boolean isExternal(String link) {
    return link.matches("[a-z]+:.*");
  }

  private String resolve(String source, String link) {
    if (isExternal(link) || link.startsWith("#")) {
      return link;
    }
    int hash = link.indexOf('#');
    String file = target(source, hash < 0 ? link : link.substring(0, hash));
    Path from = Path.of("/" + address(source)).getParent();
    String relative = from.relativize(Path.of("/" + address(file))).toString().replace('\\', '/');
    return relative + (hash < 0 ? "" : link.substring(hash));
  }

  /** Returns the file that a relative link refers to, relative to the root of the project. */
  private static String target(String source, String link) {
    Path folder = Path.of("/" + source).getParent();
    return folder.resolve(link).normalize().toString().replace('\\', '/').substring(1);
  }

  private void checkLinks(SitePage page) {
    for (String link : page.links()) {
      if (isExternal(link)) {
        continue;
      }
      int hash = link.indexOf('#');
      String path = hash < 0 ? link : link.substring(0, hash);
      String file = path.isEmpty() ? page.source() : target(page.source(), path);
      SitePage other = pages.get(file);
      if (other == null && !file.equals("README.md")) {
        if (Files.isRegularFile(root.resolve(file))) {
          files.add(file);
        } else {
          problems.add("%s: '%s' does not exist.".formatted(page.source(), link));
        }
      } else if (other != null
          && hash >= 0
          && !other.anchors().contains(link.substring(hash + 1))) {
        problems.add("%s: '%s' has no such heading.".formatted(page.source(), link));
      }
    }
  }

  private void checkNavigation() {
    Set<String> listed = new TreeSet<>();
    for (Navigation.Entry entry : navigation.entries()) {
      listed.add(target(INDEX, entry.target()));
    }
    for (String source : pages.keySet()) {
      if (!source.equals(INDEX) && !listed.contains(source)) {
        problems.add("%s: '%s' is not listed.".formatted(INDEX, source));
      }
    }
  }

  /**
   * Writes all pages, with their images, styles and search index.
   *
   * @return dead links, and pages that the index does not list, one message each
   */
  List<String> write(Path output) throws IOException {
    for (SitePage page : pages.values()) {
      Path file = output.resolve(page.address());
      Files.createDirectories(file.getParent());
      Files.writeString(file, render(page));
    }
    for (String name : files) {
      Path file = output.resolve(address(name));
      Files.createDirectories(file.getParent());
      Files.write(file, Files.readAllBytes(root.resolve(name)));
    }
    for (String asset : ASSETS) {
      Files.writeString(output.resolve(asset), resource(asset));
    }
    Files.writeString(output.resolve("search-index.js"), searchIndex());
    return List.copyOf(problems);
  }

  private String render(SitePage page) {
    String up = "../".repeat((int) page.address().chars().filter(c -> c == '/').count());
    String title = page.source().equals(INDEX) ? "alfamix" : page.title() + " · alfamix";
    return resource("page.html")
        .replace("${title}", Svg.escape(title))
        .replace("${up}", up)
        .replace("${navigation}", navigationHtml(page, up))
        .replace("${contents}", contentsHtml(page))
        .replace("${neighbours}", neighboursHtml(page, up))
        // Last: the content may contain what looks like a placeholder.
        .replace("${content}", page.html());
  }

  private String navigationHtml(SitePage page, String up) {
    StringBuilder html = new StringBuilder();
    for (Navigation.Group group : navigation.groups()) {
      html.append("<h2>").append(Svg.escape(group.title())).append("</h2>\n<ul>\n");
      for (Navigation.Entry entry : group.entries()) {
        String source = target(INDEX, entry.target());
        html.append(
            "<li><a href=\"%s%s\"%s>%s</a></li>%n"
                .formatted(
                    up,
                    address(source),
                    source.equals(page.source()) ? " aria-current=\"page\"" : "",
                    Svg.escape(entry.label())));
      }
      html.append("</ul>\n");
    }
    return html.toString();
  }

  private static String contentsHtml(SitePage page) {
    List<Section> sections =
        page.sections().stream().filter(s -> s.level() == 2 || s.level() == 3).toList();
    if (sections.size() < 2) {
      return "";
    }
    StringBuilder html = new StringBuilder("<h2>On this page</h2>\n<ul>\n");
    for (Section section : sections) {
      html.append(
          "<li class=\"level-%d\"><a href=\"#%s\">%s</a></li>%n"
              .formatted(section.level(), section.anchor(), Svg.escape(section.heading())));
    }
    return html.append("</ul>\n").toString();
  }

  private String neighboursHtml(SitePage page, String up) {
    if (!page.source().startsWith("docs/")) {
      return "";
    }
    String own = page.source().substring("docs/".length());
    return neighbourHtml(own, -1, "prev", "Previous", up)
        + neighbourHtml(own, 1, "next", "Next", up);
  }

  private String neighbourHtml(String own, int places, String rel, String label, String up) {
    return navigation
        .neighbour(own, places)
        .map(
            entry ->
                "<a rel=\"%s\" href=\"%s%s\"><small>%s</small>%s</a>%n"
                    .formatted(
                        rel,
                        up,
                        address(target(INDEX, entry.target())),
                        label,
                        Svg.escape(entry.label())))
        .orElse("");
  }

  /** A script rather than a JSON file, because browsers do not fetch files from a folder. */
  private String searchIndex() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartArray();
      for (SitePage page : pages.values()) {
        for (Section section : page.sections()) {
          json.writeStartObject();
          json.writeStringField("page", page.title());
          json.writeStringField("heading", section.heading());
          json.writeStringField("address", page.address() + "#" + section.anchor());
          json.writeStringField("text", section.text());
          json.writeEndObject();
        }
      }
      json.writeEndArray();
    }
    return "window.searchIndex = " + text + ";\n";
  }

  private static String resource(String name) {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
