package org.alfamix.lab.setting;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.Datasets;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerEngine.NetworkInfo;
import org.alfamix.learn.weights.PublishedWeights;

/**
 * Whether a setting can be run on this machine.
 *
 * @param missing what it lacks, in words; empty where it can be run
 * @param fetch the data set and weights that would be brought in first
 * @param publishers those of them that no package registry has, only their publisher
 */
public record Availability(List<String> missing, List<String> fetch, List<String> publishers) {

  /**
   * Looks at network, weights and data.
   *
   * @param engine empty where networks are not on the class path
   * @param dataFolder where data sets are kept
   */
  public static Availability of(Setting setting, Optional<LearnerEngine> engine, Path dataFolder) {
    List<String> missing = new ArrayList<>();
    String network = setting.model().baseNetwork();
    if (engine.isEmpty()) {
      missing.add("networks (the module alfamix-torch)");
    } else if (engine.get().networks().stream().noneMatch(has -> has.name().equals(network))) {
      List<String> known = engine.get().networks().stream().map(NetworkInfo::name).toList();
      missing.add(
          "network "
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
        if (published.get().isFromPublisherAlone()) {
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
          Optional<String> file = entry.get().missing(dataFolder);
          missing.add(
              file.isPresent()
                  ? "file %s of data %s in %s".formatted(file.get(), entry.get().name(), folder)
                  : "data %s, to be put into %s by hand".formatted(entry.get().name(), folder));
        } else {
          fetch.add(entry.get().name());
          if (entry.get().isFromPublisherAlone()) {
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

  /** Returns whether it runs with what is on this machine or in package registries. */
  public boolean isReadyWithoutPublishers() {
    return missing.isEmpty() && publishers.isEmpty();
  }

  /** In a few words. */
  @Override
  public String toString() {
    if (!missing.isEmpty()) {
      return "not yet: " + String.join(", ", missing);
    }
    if (!publishers.isEmpty()) {
      List<String> others = fetch.stream().filter(name -> !publishers.contains(name)).toList();
      return "needs "
          + String.join(" and ", publishers)
          + (publishers.size() == 1 ? " from its publisher" : " from their publishers")
          + (others.isEmpty() ? "" : "; fetches " + String.join(" and ", others) + " first");
    }
    return fetch.isEmpty() ? "ready" : "ready; fetches " + String.join(" and ", fetch) + " first";
  }
}
