package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.Map;

/** How a person sees an item. */
public sealed interface Shown {

  /**
   * As a picture.
   *
   * @param type as browsers call it
   */
  record Picture(byte[] bytes, String type) implements Shown {}

  /**
   * As a clip that plays.
   *
   * @param file in a format that browsers play
   * @param type as browsers call it
   */
  record Clip(Path file, String type) implements Shown {}

  /** As a row of a table: columns and what is in them. */
  record Fields(Map<String, String> values) implements Shown {}

  /** As a text to read. */
  record Text(String text) implements Shown {}

  /** As something that lies elsewhere. */
  record Link(String address) implements Shown {}
}
