package org.alfamix.lab.setting;

import java.util.LinkedHashMap;
import java.util.Map;

/** Former spellings of keys, which settings and run files of earlier versions have. */
public final class FormerKeys {
  private static final Map<String, String> CURRENT =
      Map.of(
          "standardise", "standardize",
          "optimiser", "optimizer",
          "initialisation", "initialization");

  private FormerKeys() {}

  /** Returns the current spelling of a key. */
  public static String current(String key) {
    return CURRENT.getOrDefault(key, key);
  }

  /** Returns the same entries in the same order, with the current spelling of their keys. */
  public static Map<String, String> current(Map<String, String> entries) {
    Map<String, String> result = new LinkedHashMap<>();
    entries.forEach((key, value) -> result.put(current(key), value));
    return result;
  }
}
