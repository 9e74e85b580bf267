package org.alfamix.studio.web;

import java.util.List;
import java.util.Map;

/** The presentation of an item on a page. */
sealed interface ItemView {

  /** A picture at an address. */
  record Picture(String address, String description) implements ItemView {}

  /** A clip that plays in a loop without sound while it is visible. */
  record Clip(String address, String poster, String description) implements ItemView {}

  /**
   * A text, or the reason why an item cannot be shown.
   *
   * @param highlights the address of the same text with highlighted words; null for none
   */
  record Text(String text, String highlights) implements ItemView {
    Text(String text) {
      this(text, null);
    }
  }

  /**
   * A text with highlighted words.
   *
   * @param parts highlighted and other parts in turns, in the order of the text
   * @param className the class that the highlighted words speak for; null if none are highlighted
   */
  record Highlighted(List<Part> parts, String className) implements ItemView {
    record Part(String text, boolean highlighted) {}
  }

  /** A link to another site. */
  record Link(String address) implements ItemView {}

  /** A row of a table. */
  record Fields(Map<String, String> values) implements ItemView {}
}
