package org.alfamix.learn;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The initial weights of a network, and the part of it that is trained.
 *
 * @param weights a checkpoint to start from: a file of tensors, or the folder of published weights;
 *     empty for random weights
 */
public record Pretraining(Optional<Path> weights, Tuning tuning) {

  /** Random weights, all of which are trained. */
  public static final Pretraining NONE = new Pretraining(Optional.empty(), Tuning.ALL);
}
