package org.alfamix.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of the pages. It is that of the index page: every heading of the second level is a
 * group, and every list item that begins with a link to a page is an entry.
 */
record Navigation(List<Group> groups) {
  private static final Pattern HEADING = Pattern.compile("## (.+)");
  private static final Pattern ENTRY = Pattern.compile("- \\[([^\\]]+)\\]\\(([^)#]+\\.md)\\).*");

  /** Pages under one heading. */
  record Group(String title, List<Entry> entries) {}

  /**
   * A link to a page.
   *
   * @param target the Markdown file, relative to that of the index
   */
  record Entry(String label, String target) {}

  static Navigation of(String indexMarkdown) {
    List<Group> groups = new ArrayList<>();
    for (String line : indexMarkdown.lines().toList()) {
      Matcher heading = HEADING.matcher(line);
      Matcher entry = ENTRY.matcher(line);
      if (heading.matches()) {
        groups.add(new Group(heading.group(1), new ArrayList<>()));
      } else if (entry.matches() && !groups.isEmpty()) {
        groups.get(groups.size() - 1).entries().add(new Entry(entry.group(1), entry.group(2)));
      }
    }
    groups.removeIf(group -> group.entries().isEmpty());
    return new Navigation(List.copyOf(groups));
  }

  /** Returns all entries in order. */
  List<Entry> entries() {
    return groups.stream().flatMap(group -> group.entries().stream()).toList();
  }

  /** Returns the entry that is this many places after a page; negative numbers go back. */
  Optional<Entry> neighbour(String target, int places) {
    List<Entry> entries = entries();
    for (int i = 0; i < entries.size(); i++) {
      int at = i + places;
      if (entries.get(i).target().equals(target) && at >= 0 && at < entries.size()) {
        return Optional.of(entries.get(at));
      }
    }
    return Optional.empty();
  }
}
