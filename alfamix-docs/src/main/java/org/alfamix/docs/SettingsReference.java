package org.alfamix.docs;

import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;

/** The table of built-in settings in the reference of settings, as Markdown. */
final class SettingsReference {
  private static final String START = "<!-- settings -->\n";
  private static final String END = "<!-- end of settings -->\n";

  private SettingsReference() {}

  /** Returns a page with the table between its two comments replaced. */
  static String update(String page) {
    int start = page.indexOf(START) + START.length();
    int end = page.indexOf(END);
    if (start < START.length() || end < start) {
      throw new IllegalArgumentException(
          "The page lacks the comments around the table of settings.");
    }
    return page.substring(0, start) + table() + page.substring(end);
  }

  private static String table() {
    StringBuilder text =
        new StringBuilder("\n| paper | setting | title | labels |\n|---|---|---|---|\n");
    for (Setting setting : Settings.all()) {
      String number =
          setting.paper().or(() -> setting.standsInFor().map(n -> "(" + n + ")")).orElse("");
      text.append(
          "| %s | `%s` | %s | %s |\n"
              .formatted(number, setting.name(), setting.title(), setting.schedule()));
    }
    return text.append("\n").toString();
  }
}
