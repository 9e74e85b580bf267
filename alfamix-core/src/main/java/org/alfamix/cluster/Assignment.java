package org.alfamix.cluster;

/**
 * Where Lloyd's iteration starts; the arrays are its own from then on.
 *
 * @param clusters for every point the number of its cluster
 * @param least for every point its squared distance to its centre, less its own squared norm
 */
record Assignment(int[] clusters, float[] least) {}
