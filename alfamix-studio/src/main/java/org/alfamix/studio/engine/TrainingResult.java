package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.studio.store.QueuedPick;
import org.alfamix.studio.store.TrainingRound;

/**
 * The result of a round.
 *
 * @param uncertain other items that the model is unsure of, the most uncertain first; they are
 *     served until the next batch is ready
 * @param map the items in the plane
 */
record TrainingResult(
    TrainingRound round, List<QueuedPick> picks, List<Integer> uncertain, ItemMap map) {}
