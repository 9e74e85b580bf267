/**
 * Labelled data sets by name or from files: tables, images and videos.
 *
 * @since 0.1
 */
module org.alfamix.datasets {
  requires transitive org.alfamix.core;
  requires transitive org.alfamix.io;
  requires com.fasterxml.jackson.core;
  requires java.desktop;

  exports org.alfamix.datasets;
  exports org.alfamix.datasets.video;
}
