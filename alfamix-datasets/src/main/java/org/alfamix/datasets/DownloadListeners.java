package org.alfamix.datasets;

/** Creates a listener for each download. */
@FunctionalInterface
public interface DownloadListeners {
  /** Ignores all progress. */
  DownloadListeners SILENT = name -> step -> {};

  /** Returns the listener of a download, which is closed when the download ends. */
  Download begin(String name);

  /** The listener of one download. */
  interface Download extends Fetcher.Listener, AutoCloseable {
    @Override
    default void close() {}
  }
}
