package org.alfamix.studio.web;

import java.util.Map;

/** The presentation of an item on a page. */
sealed interface ItemView {

  /** A picture at an address. */
  record Picture(String address, String description) implements ItemView {}

  /** A clip that plays in a loop without sound while it is visible. */
  record Clip(String address, String poster, String description) implements ItemView {}

  /** A text, or the reason why an item cannot be shown. */
  record Text(String text) implements ItemView {}

  /** A link to another site. */
  record Link(String address) implements ItemView {}

  /** A row of a table. */
  record Fields(Map<String, String> values) implements ItemView {}
}
