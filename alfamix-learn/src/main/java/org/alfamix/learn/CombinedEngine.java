package org.alfamix.learn;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;

/** Several engines as one: networks and checkpoints are passed to the engine that knows them. */
final class CombinedEngine implements LearnerEngine {
  private final List<LearnerEngine> engines;

  CombinedEngine(List<LearnerEngine> engines) {
    this.engines = List.copyOf(engines);
  }

  @Override
  public String description() {
    return engines.stream().map(LearnerEngine::description).collect(Collectors.joining(", "));
  }

  /** Returns the device as the first engine that has it names it. */
  @Override
  public String device(String name) {
    RuntimeException first = null;
    for (LearnerEngine engine : engines) {
      try {
        return engine.device(name);
      } catch (DataException | InvalidRequestException e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }

  @Override
  public List<NetworkInfo> networks() {
    return engines.stream().flatMap(engine -> engine.networks().stream()).toList();
  }

  @Override
  public LearnerEngine forNetwork(String network) {
    return engines.stream()
        .filter(engine -> engine.hasNetwork(network))
        .findFirst()
        // The first engine reports the unknown network.
        .orElse(engines.get(0));
  }

  @Override
  public Learner create(LearnerSpec spec) {
    return forNetwork(spec.network()).create(spec);
  }

  @Override
  public boolean reads(Path file) {
    return engines.stream().anyMatch(engine -> engine.reads(file));
  }

  private LearnerEngine forCheckpoint(Path file) {
    return engines.stream().filter(engine -> engine.reads(file)).findFirst().orElse(engines.get(0));
  }

  @Override
  public Loaded load(
      Path file, int threads, String device, UnaryOperator<TrainingOptions> training) {
    return forCheckpoint(file).load(file, threads, device, training);
  }

  @Override
  public void requireSavable(Path file) {
    forCheckpoint(file).requireSavable(file);
  }
}
