package org.alfamix.torch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.plugin.Plugins;

/** The registered networks. */
final class Architectures {
  private Architectures() {}

  /**
   * Returns the networks of providers, such as the built-in ones, then those registered one by one.
   *
   * @throws InvalidRequestException if two networks have the same name, or a plug-in cannot be
   *     loaded
   */
  static List<Architecture> all() {
    List<Architecture> all = new ArrayList<>();
    Plugins.load(ArchitectureProvider.class)
        .forEach(provider -> all.addAll(provider.architectures()));
    all.addAll(Plugins.load(Architecture.class));
    Plugins.requireUniqueNames(
        "networks", all, Architecture::name, each -> each.getClass().getName());
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
