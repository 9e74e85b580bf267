package org.alfamix.studio.store;

import java.time.Instant;

/**
 * A trained model and the batch that was selected with it.
 *
 * @param number from 0; round 0 has no model yet
 * @param method name of the method that selected the batch
 * @param labels number of labels that the model was trained on
 * @param tested number of labelled held-out items
 * @param correct number of those with a correct prediction
 */
public record TrainingRound(
    int number, String method, int labels, int tested, int correct, double seconds, Instant at) {}
