package org.alfamix.cli;

import java.util.Locale;
import java.util.Map;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.learn.embed.NgramFeatures;

/** The data of the demonstration, which are included in the jar. */
enum DemoData {
  LETTER("letters A to Z", "an MLP with two layers", "demo", 100, Map.of(), "digits --budget 20"),
  DIGITS("handwritten digits", "an MLP with two layers", "demo", 100, Map.of(), "letter"),
  BANKING77(
      "customers' questions to a bank",
      "a linear layer on features of n-grams",
      "banking77-ngrams",
      77,
      Map.of(DatasetReader.BACKBONE, NgramFeatures.NAME),
      "letter");

  private final String description;
  private final String network;
  private final String setting;
  private final int budget;
  private final Map<String, String> reading;
  private final String next;

  /**
   * @param setting the setting with the network
   * @param budget the default number of labels per round
   * @param reading options for reading the data
   * @param next arguments of a suggestion
   */
  DemoData(
      String description,
      String network,
      String setting,
      int budget,
      Map<String, String> reading,
      String next) {
    this.description = description;
    this.network = network;
    this.setting = setting;
    this.budget = budget;
    this.reading = reading;
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

  Map<String, String> reading() {
    return reading;
  }

  String next() {
    return next;
  }
}
