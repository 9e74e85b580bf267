package org.alfamix.studio.web;

/** Which key stands for which class: digits first, then letters. */
final class Keys {
  private static final String ORDER = "123456789abcdefghijklmnopqrstuvwxyz";

  private Keys() {}

  /** The key of the class at a place; empty where there are no keys left. */
  static String of(int place) {
    return place < ORDER.length() ? ORDER.substring(place, place + 1) : "";
  }
}
