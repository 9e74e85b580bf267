package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this project, and sites with mistakes. */
class SiteTest {
  private static final Pattern LINK = Pattern.compile("\\s(?:href|src)=\"([^\"]+)\"");
  private static final Pattern ID = Pattern.compile("\\sid=\"([^\"]+)\"");

  @TempDir private Path folder;

  @Test
  void theSiteOfThisProjectHasNoDeadLinks() throws IOException {
    assertEquals(List.of(), new Site(Path.of("..")).write(folder));
    // Once more, on what was written: every file and every anchor.
    List<String> dead = new ArrayList<>();
    int links = 0;
    List<Path> pages;
    try (Stream<Path> all = Files.walk(folder)) {
      pages = all.filter(file -> file.toString().endsWith(".html")).toList();
    }
    for (Path page : pages) {
      Matcher matcher = LINK.matcher(Files.readString(page));
      while (matcher.find()) {
        String link = matcher.group(1);
        if (!link.matches("[a-z]+:.*")) {
          links++;
          if (isDead(page, link)) {
            dead.add(folder.relativize(page) + ": " + link);
          }
        }
      }
    }
    assertEquals(List.of(), dead);
    assertTrue(pages.size() > 15 && links > 500, pages.size() + " pages, " + links + " links");
  }

  private static boolean isDead(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return true;
    }
    return parts.length > 1
        && ID.matcher(Files.readString(target))
            .results()
            .noneMatch(id -> id.group(1).equals(parts[1]));
  }

  private List<String> problems(String index, String page) throws IOException {
    Path root = folder.resolve("project");
    Files.createDirectories(root.resolve("docs/guide"));
    Files.writeString(root.resolve("docs/index.md"), index);
    Files.writeString(root.resolve("docs/guide/page.md"), page);
    return new Site(root).write(folder.resolve("site"));
  }

  @Test
  void reportsAMissingFile() throws IOException {
    assertEquals(
        List.of("docs/guide/page.md: 'gone.md' does not exist."),
        problems("# T\n\n## G\n\n- [Page](guide/page.md): it\n", "# Page\n\n[x](gone.md)\n"));
  }

  @Test
  void reportsAMissingHeading() throws IOException {
    assertEquals(
        List.of("docs/guide/page.md: '../index.md#h' has no such heading."),
        problems(
            "# T\n\n## G\n\n- [Page](guide/page.md): it\n",
            "# Page\n\n## Own part\n\n[a](#own-part) [x](../index.md#h)\n"));
  }

  @Test
  void reportsAMissingImage() throws IOException {
    assertEquals(
        List.of("docs/guide/page.md: 'a.png' does not exist."),
        problems(
            "# T\n\n## G\n\n- [Page](guide/page.md)\n", "# P\n\n<img alt=\"\" src=\"a.png\">\n"));
  }

  @Test
  void reportsAPageThatTheIndexDoesNotList() throws IOException {
    assertEquals(
        List.of("docs/index.md: 'docs/guide/page.md' is not listed."),
        problems("# T\n\n## G\n", "# Page\n"));
  }

  @Test
  void linksBetweenPagesBecomeLinksBetweenHtmlFiles() throws IOException {
    assertEquals(
        List.of(),
        problems(
            "# T\n\n## G\n\n- [Page](guide/page.md): it\n",
            "# A page\n\n"
                + "[up](../index.md), [out](https://example.org/x.md)\n\n"
                + "| a |\n"
                + "|---|\n"
                + "| b |\n"));
    String html = Files.readString(folder.resolve("site/guide/page.html"));
    assertTrue(html.contains("href=\"../index.html\">up"), html);
    assertTrue(html.contains("https://example.org/x.md"), html);
    assertTrue(html.contains("<td>b</td>"), html);
    assertTrue(html.contains("<title>A page · alfamix</title>"), html);
    assertFalse(html.contains("${"), html);
  }
}
