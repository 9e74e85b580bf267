package org.alfamix.cluster;

/**
 * A measure of the dissimilarity of two points: symmetric and nonnegative, but not necessarily a
 * metric.
 */
@FunctionalInterface
public interface Dissimilarity {
  double between(int i, int j);
}
