package org.alfamix.studio.store;

import java.util.OptionalLong;

/**
 * The current label of an item.
 *
 * @param classId its class; empty if it is unclear
 * @param change the change that set it
 */
public record Label(int item, OptionalLong classId, long change) {}
