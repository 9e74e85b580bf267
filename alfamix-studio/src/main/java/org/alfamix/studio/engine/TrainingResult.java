package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.TrainingRound;

/**
 * What came of a round.
 *
 * @param uncertain other items that the model is unsure of, the most unsure first: they are served
 *     while the next batch is not there yet
 * @param map where items lie
 */
record TrainingResult(
    TrainingRound round, List<QueuedPick> picks, List<Integer> uncertain, ItemMap map) {}
