package org.alfamix.select;

import java.util.Map;

/**
 * The strategy that selected a batch.
 *
 * @param strategy the name of the strategy
 * @param options all of its options, including defaults
 */
public record BatchRequest(String strategy, Map<String, String> options, int budget, long seed) {}
