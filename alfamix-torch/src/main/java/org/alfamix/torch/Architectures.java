package org.alfamix.torch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/** The registered networks. */
final class Architectures {
  private Architectures() {}

  /**
   * Returns the networks of catalogs, such as the built-in ones, then those registered one by one.
   */
  static List<Architecture> all() {
    List<Architecture> all = new ArrayList<>();
    try {
      ServiceLoader.load(ArchitectureCatalog.class, ArchitectureCatalog.class.getClassLoader())
          .forEach(catalog -> all.addAll(catalog.architectures()));
      ServiceLoader.load(Architecture.class).forEach(all::add);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new DataException(
          "Cannot load a network from the class path: " + e.getMessage() + ".", e);
    }
    return all;
  }

  /** Returns the network of a name with optional options, such as {@code vit-small:blocks=4}. */
  static Architecture named(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? find(text)
        : find(text.substring(0, colon)).with(options(text, text.substring(colon + 1)));
  }

  private static Map<String, String> options(String network, String text) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String option : text.split(",")) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new InvalidRequestException(
            "%s: '%s' is not an option, expected NAME=VALUE.".formatted(network, option));
      }
      options.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return options;
  }

  private static Architecture find(String name) {
    List<Architecture> all = all();
    return all.stream()
        .filter(architecture -> architecture.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    "Unknown network '%s'; expected one of %s."
                        .formatted(
                            name,
                            all.stream()
                                .map(Architecture::name)
                                .collect(Collectors.joining(", ")))));
  }
}
