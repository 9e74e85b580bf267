package org.alfamix.lab.setting;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.Suggestions;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerEngine.NetworkInfo;
import org.alfamix.learn.weights.PublishedWeights;

/**
 * Reports whether a setting can be run on this machine.
 *
 * @param missing descriptions of missing requirements; empty if the setting can be run
 * @param fetch names of the data set and the weights to download first
 * @param publishers the names among them that only the publisher's site provides, not a package
 *     registry
 */
public record Availability(List<String> missing, List<String> fetch, List<String> publishers) {

  /**
   * Checks the network, the weights and the data.
   *
   * @param engine empty if networks are not on the class path
   * @param onDemand whether networks that are not on the class path are added to it before a run,
   *     as in the source tree
   * @param dataFolder the folder of data sets
   */
  public static Availability of(
      Setting setting, Optional<LearnerEngine> engine, boolean onDemand, Path dataFolder) {
    List<String> missing = new ArrayList<>();
    String network = setting.model().baseNetwork();
    if (engine.isEmpty()) {
      if (!onDemand) {
        missing.add("networks (module alfamix-torch)");
      }
    } else if (engine.get().networks().stream().noneMatch(has -> has.name().equals(network))) {
      List<String> known = engine.get().networks().stream().map(NetworkInfo::name).toList();
      missing.add(
          "unknown network "
              + network
              + Suggestions.nearest(network, known)
                  .map(name -> " (did you mean " + name + "?)")
                  .orElse(""));
    }
    List<String> fetch = new ArrayList<>();
    List<String> publishers = new ArrayList<>();
    if (setting.model().start() == ModelSpec.Start.PRE_TRAINED) {
      String checkpoint = setting.model().checkpoint().orElseThrow();
      Optional<PublishedWeights> published = setting.model().published();
      if (published.isEmpty() && !isFile(checkpoint)) {
        missing.add("weights " + checkpoint);
      } else if (published.isPresent() && published.get().find(dataFolder).isEmpty()) {
        fetch.add(published.get().name());
        if (published.get().isOnlyFromPublisher()) {
          publishers.add(published.get().name());
        }
      }
    }
    Optional<DatasetEntry> entry = Datasets.named(setting.data().name());
    if (entry.isPresent()) {
      if (!entry.get().isReadable()) {
        missing.add("data " + entry.get().name());
      } else if (entry.get().find(dataFolder).isEmpty()) {
        if (entry.get().isByHand()) {
          Path folder = entry.get().folder(dataFolder);
          Optional<String> file = entry.get().missingFile(dataFolder);
          missing.add(
              file.isPresent()
                  ? "file %s of data %s in %s".formatted(file.get(), entry.get().name(), folder)
                  : "data %s (put the files into %s)".formatted(entry.get().name(), folder));
        } else {
          fetch.add(entry.get().name());
          if (entry.get().isOnlyFromPublisher()) {
            publishers.add(entry.get().name());
          }
        }
      }
    }
    return new Availability(missing, fetch, publishers);
  }

  private static boolean isFile(String name) {
    try {
      return Files.exists(Path.of(name));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  public boolean isReady() {
    return missing.isEmpty();
  }

  /**
   * Returns whether local files and package registries provide everything, without a download from
   * a publisher's site.
   */
  public boolean isReadyWithoutPublishers() {
    return missing.isEmpty() && publishers.isEmpty();
  }

  /** Returns a one-line description. */
  @Override
  public String toString() {
    if (!missing.isEmpty()) {
      return "not available: " + String.join(", ", missing);
    }
    if (!publishers.isEmpty()) {
      List<String> others = fetch.stream().filter(name -> !publishers.contains(name)).toList();
      return "needs "
          + String.join(" and ", publishers)
          + (publishers.size() == 1 ? " from its publisher" : " from their publishers")
          + (others.isEmpty() ? "" : "; downloads " + String.join(" and ", others) + " first");
    }
    return fetch.isEmpty() ? "ready" : "ready; downloads " + String.join(" and ", fetch) + " first";
  }
}
