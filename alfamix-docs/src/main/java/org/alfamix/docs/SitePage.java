package org.alfamix.docs;

import java.util.List;

/**
 * One page of the site.
 *
 * @param source the Markdown file, relative to the root of the project, with slashes
 * @param address the HTML file, relative to the root of the site
 * @param title the text of the first heading
 * @param html the content, with resolved links
 * @param sections the page cut at its headings, for the table of contents and the search
 * @param anchors all anchors that a link may refer to
 * @param links the targets of all links and images, as written
 */
record SitePage(
    String source,
    String address,
    String title,
    String html,
    List<Section> sections,
    List<String> anchors,
    List<String> links) {

  /**
   * The text between two headings.
   *
   * @param level the level of the heading, from 1
   * @param anchor the anchor of the heading
   * @param text the plain text below the heading
   */
  record Section(int level, String anchor, String heading, String text) {}

  SitePage {
    sections = List.copyOf(sections);
    anchors = List.copyOf(anchors);
    links = List.copyOf(links);
  }
}
