package org.alfamix.cluster;

/** How unlike two points are: symmetric and never negative, but not necessarily a metric. */
@FunctionalInterface
public interface Dissimilarity {
  double between(int i, int j);
}
