/**
 * Interfaces of learners and embedders, published weights, and the cache of features.
 *
 * @since 0.1
 */
module org.alfamix.learn {
  requires transitive org.alfamix.core;
  requires transitive org.alfamix.datasets;
  requires transitive org.alfamix.io;

  exports org.alfamix.learn;
  exports org.alfamix.learn.embed;
  exports org.alfamix.learn.weights;
}
