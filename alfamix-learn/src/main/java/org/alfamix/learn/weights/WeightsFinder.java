package org.alfamix.learn.weights;

import java.nio.file.Path;

/** Brings published weights in where they are not there, and says where they are. */
@FunctionalInterface
public interface WeightsFinder {
  Path find(PublishedWeights weights);
}
