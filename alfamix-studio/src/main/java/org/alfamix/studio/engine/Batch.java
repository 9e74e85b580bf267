package org.alfamix.studio.engine;

import java.util.List;
import org.alfamix.studio.store.Pick;
import org.alfamix.studio.store.Round;

/**
 * What came of a round.
 *
 * @param uncertain other items that the model is unsure of, the most unsure first: they are served
 *     while the next batch is not there yet
 * @param map where items lie
 */
record Batch(Round round, List<Pick> picks, List<Integer> uncertain, ItemMap map) {}
