package org.alfamix.studio.store;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A selected item of a batch.
 *
 * @param rank its position in the batch, from 0
 * @param reason why it was selected, in the terms of the query strategy
 * @param cause the same in general; empty for a strategy of another author
 * @param predicted the class that the model predicts
 * @param alternative the class that it may be instead, if the cause is {@link Cause#UNSURE}
 * @param near similar labelled items, as JSON
 */
public record QueuedPick(
    int rank,
    int item,
    String reason,
    Optional<Cause> cause,
    OptionalLong predicted,
    OptionalLong alternative,
    String near) {

  /** Why a strategy selects an item, in general. */
  public enum Cause {
    /** The model is not sure of its prediction. */
    UNSURE,
    /** The item differs from all labelled items. */
    DIFFERENT,
    /** The item represents a group of similar items. */
    TYPICAL,
    /** The item was selected at random. */
    RANDOM
  }
}
