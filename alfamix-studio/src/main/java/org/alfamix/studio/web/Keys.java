package org.alfamix.studio.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.studio.store.LabelClass;

/**
 * Keyboard shortcuts of classes. A class whose name is a single letter or digit has that key; the
 * others get the remaining keys, digits first.
 */
final class Keys {
  private static final String ORDER = "123456789abcdefghijklmnopqrstuvwxyz";
  private static final String POSSIBLE = "0" + ORDER;

  private Keys() {}

  /** Returns the keys of classes, in their order; empty if no keys are left. */
  static List<String> of(List<LabelClass> classes) {
    List<String> keys = new ArrayList<>(Collections.nCopies(classes.size(), ""));
    for (int c = 0; c < classes.size(); c++) {
      String name = classes.get(c).name().toLowerCase(Locale.ROOT);
      if (name.length() == 1 && POSSIBLE.contains(name) && !keys.contains(name)) {
        keys.set(c, name);
      }
    }
    List<String> left =
        ORDER
            .chars()
            .mapToObj(Character::toString)
            .filter(key -> !keys.contains(key))
            .collect(Collectors.toCollection(ArrayList::new));
    for (int c = 0; c < keys.size() && !left.isEmpty(); c++) {
      if (keys.get(c).isEmpty()) {
        keys.set(c, left.remove(0));
      }
    }
    return keys;
  }
}
