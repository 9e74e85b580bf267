package org.alfamix.learn;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.plugin.Plugins;

/**
 * Creates learners. Implementations are found by {@link java.util.ServiceLoader}: that of alfamix
 * is in a separate module ({@code alfamix-torch}), because it depends on a library of 100 MB, and
 * plug-ins may have others.
 */
public interface LearnerEngine {

  /**
   * A network that learners can use.
   *
   * @param description a description of one line
   */
  record NetworkInfo(String name, String description) {}

  /** A learner that was read from a checkpoint, and the record of its training. */
  record Loaded(Learner learner, TrainingRecord training) {}

  /** Returns the name and the version of the library, such as {@code libtorch 2.10.0}. */
  String description();

  /**
   * Returns the device that a name refers to on this machine: {@code auto} becomes {@code cpu} or
   * {@code cuda:0}.
   *
   * @throws DataException if the device is not available
   */
  String device(String name);

  /** Returns the available networks. */
  List<NetworkInfo> networks();

  /**
   * Creates a learner with random or pre-trained weights, as set in the spec.
   *
   * @throws DataException if the network does not accept the inputs or the device is not available
   */
  Learner create(LearnerSpec spec);

  /**
   * Reads a checkpoint.
   *
   * @param threads number of threads that compute
   * @param device device that computes
   * @param training returns the options of further fits, given those in the checkpoint
   */
  Loaded load(Path file, int threads, String device, UnaryOperator<TrainingOptions> training);

  /**
   * Checks that a checkpoint can be saved later, before a long training.
   *
   * @throws DataException if a file that is not part of a checkpoint would be overwritten
   */
  void requireSavable(Path file);

  /** Reads a checkpoint without changing its training options. */
  default Loaded load(Path file, int threads, String device) {
    return load(file, threads, device, UnaryOperator.identity());
  }

  /**
   * Returns whether a file has the format of this engine's checkpoints; the file need not exist.
   */
  default boolean reads(Path file) {
    return true;
  }

  /** Returns whether this engine has a network, which may be followed by options. */
  default boolean hasNetwork(String network) {
    String name = network.split(":", 2)[0];
    return networks().stream().anyMatch(info -> info.name().equals(name));
  }

  /** Returns the engine that creates a network; several engines may be combined into one. */
  default LearnerEngine forNetwork(String network) {
    return this;
  }

  /**
   * Returns the engines on the class path.
   *
   * @throws InvalidRequestException if two of them have a network of the same name, or one cannot
   *     be loaded
   */
  static List<LearnerEngine> installed() {
    List<LearnerEngine> engines = Plugins.load(LearnerEngine.class);
    if (engines.size() > 1) {
      record Found(String network, String engine) {}
      Plugins.requireUniqueNames(
          "networks",
          engines.stream()
              .flatMap(
                  engine ->
                      engine.networks().stream()
                          .map(info -> new Found(info.name(), engine.getClass().getName())))
              .toList(),
          Found::network,
          Found::engine);
    }
    return engines;
  }

  /**
   * Returns the engine on the class path; several engines are combined.
   *
   * @throws DataException if there is none
   */
  static LearnerEngine find() {
    List<LearnerEngine> engines = installed();
    if (engines.isEmpty()) {
      throw new DataException(
          "Networks require the module alfamix-torch on the class path. Unpack the alfamix zip with"
              + " 'torch' in its name into the installation folder.");
    }
    return engines.size() == 1 ? engines.get(0) : new CombinedEngine(engines);
  }
}
