package org.alfamix.learn;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import org.alfamix.io.DataException;

/**
 * Creates learners. The implementation is in a separate module ({@code alfamix-torch}) and is found
 * at run time, because it depends on a library of 100 MB.
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

  /** Returns the engine on the class path. */
  static LearnerEngine find() {
    return ServiceLoader.load(LearnerEngine.class)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "Networks require the module alfamix-torch on the class path. Unpack the"
                        + " alfamix zip with 'torch' in its name into the installation folder."));
  }
}
