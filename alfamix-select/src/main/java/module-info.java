/**
 * Selection from files: pools, labels, heads, batches and manifests.
 *
 * @since 0.1
 */
module org.alfamix.select {
  requires transitive org.alfamix.core;
  requires transitive org.alfamix.io;
  requires com.fasterxml.jackson.core;
  requires java.management;

  exports org.alfamix.select;

  // Manifests are records that are written by their components.
  opens org.alfamix.select to
      org.alfamix.io;
}
