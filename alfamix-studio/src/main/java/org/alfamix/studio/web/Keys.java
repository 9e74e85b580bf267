package org.alfamix.studio.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.studio.store.LabelClass;

/**
 * Which key stands for which class. A class that is called by a single letter or digit has that
 * key; the others have what is left, digits first.
 */
final class Keys {
  private static final String ORDER = "123456789abcdefghijklmnopqrstuvwxyz";
  private static final String POSSIBLE = "0" + ORDER;

  private Keys() {}

  /** The keys of classes, in their order; empty where there are no keys left. */
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
