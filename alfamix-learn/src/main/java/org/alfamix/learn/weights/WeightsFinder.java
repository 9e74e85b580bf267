package org.alfamix.learn.weights;

import java.nio.file.Path;

/** Finds published weights, and downloads them if they are missing. */
@FunctionalInterface
public interface WeightsFinder {
  Path find(PublishedWeights weights);
}
