package org.alfamix.studio.store;

import java.util.OptionalLong;

/**
 * An item that the engine asks for.
 *
 * @param rank its place in the batch, from 0
 * @param reason why, in words
 * @param predicted the class that the model would give it
 * @param near labelled items beside it, as JSON
 */
public record QueuedPick(int rank, int item, String reason, OptionalLong predicted, String near) {}
