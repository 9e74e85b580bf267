package org.alfamix.learn;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a network knows before it has seen a label, and which part of it may still change.
 *
 * @param weights a checkpoint to begin from: a file of tensors, or the folder of a published set;
 *     empty for random weights
 */
public record Pretraining(Optional<Path> weights, Tuning tuning) {

  /** Random weights, all of which learn. */
  public static final Pretraining NONE = new Pretraining(Optional.empty(), Tuning.ALL);
}
