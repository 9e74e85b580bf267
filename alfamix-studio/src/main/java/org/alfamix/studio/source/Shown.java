package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.Map;

/** The presentation of an item. */
public sealed interface Shown {

  /**
   * A picture.
   *
   * @param type media type
   */
  record Picture(byte[] bytes, String type) implements Shown {}

  /**
   * A clip that plays.
   *
   * @param file in a format that browsers play
   * @param type media type
   */
  record Clip(Path file, String type) implements Shown {}

  /** A row of a table: columns and their values. */
  record Fields(Map<String, String> values) implements Shown {}

  /** A text. */
  record Text(String text) implements Shown {}

  /** A link to another site. */
  record Link(String address) implements Shown {}
}
