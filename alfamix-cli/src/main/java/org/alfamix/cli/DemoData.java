package org.alfamix.cli;

import java.util.Locale;

/** The data of the demonstration, which are included in the jar. */
enum DemoData {
  LETTER("letters A to Z", "an MLP with two layers", "demo", 100, "digits --budget 20"),
  DIGITS("handwritten digits", "an MLP with two layers", "demo", 100, "letter"),
  BANKING77(
      "customers' questions to a bank",
      "a linear layer on features of texts",
      "banking77-minilm",
      77,
      "letter");

  private final String description;
  private final String network;
  private final String setting;
  private final int budget;
  private final String next;

  /**
   * @param setting the setting with the network
   * @param budget the default number of labels per round
   * @param next arguments of a suggestion
   */
  DemoData(String description, String network, String setting, int budget, String next) {
    this.description = description;
    this.network = network;
    this.setting = setting;
    this.budget = budget;
    this.next = next;
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  String description() {
    return description;
  }

  String network() {
    return network;
  }

  String setting() {
    return setting;
  }

  int budget() {
    return budget;
  }

  /** Returns whether the items are texts, of which features are computed. */
  boolean hasTexts() {
    return this == BANKING77;
  }

  String next() {
    return next;
  }
}
