package org.alfamix.select;

import java.util.Map;

/**
 * What a batch was selected with.
 *
 * @param strategy the name of the method
 * @param options all of its options, those that were not set with their defaults
 */
public record BatchRequest(String strategy, Map<String, String> options, int budget, long seed) {}
