package org.alfamix.studio.store;

import java.time.Instant;

/**
 * A model that was trained, and the batch that was chosen with it.
 *
 * @param number from 0; round 0 has no model yet
 * @param method what chose the batch
 * @param labels how many the model had
 * @param tested on how many held-out items it was tested
 * @param correct how many of those it predicted rightly
 */
public record TrainingRound(
    int number, String method, int labels, int tested, int correct, double seconds, Instant at) {}
