package org.alfamix.cluster;

/**
 * The start of Lloyd's iteration, which then owns and overwrites the arrays.
 *
 * @param clusters cluster of every point
 * @param least squared distance of every point to its centre, minus its own squared norm
 */
record Assignment(int[] clusters, float[] least) {}
