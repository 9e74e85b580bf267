package org.alfamix.studio.store;

import java.util.OptionalLong;

/**
 * What is said of an item now.
 *
 * @param classId its class; empty where it was found unclear
 * @param change the change that said so
 */
public record Label(int item, OptionalLong classId, long change) {}
