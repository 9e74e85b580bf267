package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.Map;

/** The presentation of an item. */
public sealed interface DisplayedItem {

  /**
   * A picture.
   *
   * @param type media type
   */
  record Picture(byte[] bytes, String type) implements DisplayedItem {}

  /**
   * A clip that plays.
   *
   * @param file in a format that browsers play
   * @param type media type
   */
  record Clip(Path file, String type) implements DisplayedItem {}

  /** A row of a table: columns and their values. */
  record Fields(Map<String, String> values) implements DisplayedItem {}

  /** A text. */
  record Text(String text) implements DisplayedItem {}

  /** A link to another site. */
  record Link(String address) implements DisplayedItem {}
}
