package org.alfamix.datasets;

/** Creates a listener for each download. */
@FunctionalInterface
public interface DownloadListeners {
  /** Ignores all progress. */
  DownloadListeners SILENT = name -> step -> {};

  /** Returns the listener of a download, which is closed when the download ends. */
  Download begin(String name);

  /** Receives a remark on the data, such as a column that is not used. */
  default void remark(String remark) {}

  /** The listener of one download. */
  interface Download extends Fetcher.Listener, AutoCloseable {
    @Override
    default void close() {}
  }
}
