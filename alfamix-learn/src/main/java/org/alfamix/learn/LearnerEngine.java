package org.alfamix.learn;

import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;
import org.alfamix.io.DataException;

/**
 * What makes learners. It comes with a module of its own ({@code alfamix-torch}), found at run
 * time, because it brings a library of 100 MB along.
 */
public interface LearnerEngine {

  /**
   * A network that learners can be made of.
   *
   * @param description what it is, in a line
   */
  record NetworkInfo(String name, String description) {}

  /** A learner that was read from a file, and what it has learnt from. */
  record Loaded(Learner learner, TrainingRecord training) {}

  /** What computes, with its version, as {@code libtorch 2.10.0}. */
  String description();

  /**
   * The device that a wish means on this machine: {@code auto} becomes {@code cpu} or {@code
   * cuda:0}.
   *
   * @throws DataException where it is not there
   */
  String device(String wish);

  /** The networks it knows. */
  List<NetworkInfo> networks();

  /**
   * Makes a learner with fresh weights.
   *
   * @throws DataException where the network does not fit the inputs or the device is not there
   */
  Learner create(LearnerSpec spec);

  /**
   * Reads a checkpoint.
   *
   * @param threads how many threads compute
   * @param device where it computes
   * @param training how it is to be fitted from now on, given how it was
   */
  Loaded load(Path file, int threads, String device, UnaryOperator<TrainingOptions> training);

  /**
   * Fails now where a checkpoint could not be saved later.
   *
   * @throws DataException where something else is there
   */
  void requireSavable(Path file);

  /** Reads a checkpoint as it is. */
  default Loaded load(Path file, int threads, String device) {
    return load(file, threads, device, UnaryOperator.identity());
  }

  /** The engine on the class path. */
  static LearnerEngine find() {
    return ServiceLoader.load(LearnerEngine.class)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "Networks need the module alfamix-torch on the class path; beside the zip of"
                        + " alfamix there is one with 'torch' in its name, to be unpacked over"
                        + " it."));
  }
}
