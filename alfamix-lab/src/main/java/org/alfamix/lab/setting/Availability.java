package org.alfamix.lab.setting;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.dataset.DataSetEntry;
import org.alfamix.dataset.DataSets;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerEngine.NetworkInfo;

/**
 * Whether a setting can be run on this machine.
 *
 * @param missing what it lacks, in words; empty where it can be run
 * @param fetch the data set that would be brought in first
 */
public record Availability(List<String> missing, Optional<String> fetch) {

  private static final List<String> PAPER = List.of("densenet121", "vit-small", "vit-base", "mvit");

  /**
   * Looks at network, weights and data.
   *
   * @param engine empty where networks are not on the class path
   * @param dataFolder where data sets are kept
   */
  public static Availability of(Setting setting, Optional<LearnerEngine> engine, Path dataFolder) {
    List<String> missing = new ArrayList<>();
    String network = setting.model().network();
    if (engine.isEmpty()) {
      missing.add("networks (the module alfamix-torch)");
    } else if (engine.get().networks().stream().noneMatch(has -> has.name().equals(network))) {
      List<String> known = engine.get().networks().stream().map(NetworkInfo::name).toList();
      missing.add(
          "network "
              + network
              + Words.nearest(network, known)
                  .filter(name -> !PAPER.contains(network))
                  .map(name -> " (did you mean " + name + "?)")
                  .orElse(""));
    }
    if (setting.model().start() == ModelSpec.Start.PRE_TRAINED) {
      missing.add("weights " + setting.model().checkpoint().orElseThrow());
    }
    ModelSpec.Training training = setting.model().training();
    if (!training.optimiser().equals("adam")
        || training.warmUp().isPresent()
        || training.finalRate().isPresent()) {
      missing.add("training by " + training.optimiser() + " with a schedule");
    }
    Optional<String> fetch = Optional.empty();
    Optional<DataSetEntry> entry = DataSets.named(setting.data().name());
    if (entry.isPresent()) {
      if (!entry.get().isReadable()) {
        missing.add("data " + entry.get().name());
      } else if (entry.get().find(dataFolder).isEmpty()) {
        if (entry.get().isByHand()) {
          missing.add(
              "data %s, to be put into %s by hand"
                  .formatted(entry.get().name(), dataFolder.resolve(entry.get().name())));
        } else {
          fetch = Optional.of(entry.get().name());
        }
      }
    }
    return new Availability(missing, fetch);
  }

  public boolean isReady() {
    return missing.isEmpty();
  }

  /** In a few words. */
  @Override
  public String toString() {
    if (!missing.isEmpty()) {
      return "not yet: " + String.join(", ", missing);
    }
    return fetch.map(name -> "ready; fetches " + name + " first").orElse("ready");
  }
}
