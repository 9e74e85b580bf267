package org.alfamix.studio.web;

import java.util.Map;

/** An item as a page shows it. */
sealed interface ItemView {

  /** A picture at an address. */
  record Picture(String address, String description) implements ItemView {}

  /** A clip that plays without sound and repeats as long as it is on the screen. */
  record Clip(String address, String poster, String description) implements ItemView {}

  /** A text, or the reason why an item cannot be shown. */
  record Text(String text) implements ItemView {}

  /** A link to another site. */
  record Link(String address) implements ItemView {}

  /** A row of a table. */
  record Fields(Map<String, String> values) implements ItemView {}
}
