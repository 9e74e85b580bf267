package org.alfamix.datasets;

/** Makes a listener for each download. */
@FunctionalInterface
public interface DownloadListeners {
  /** Tells nobody. */
  DownloadListeners SILENT = name -> what -> {};

  /** Returns the listener of a download, which is closed at its end. */
  Download begin(String name);

  /** Hears of one download. */
  interface Download extends Fetcher.Listener, AutoCloseable {
    @Override
    default void close() {}
  }
}
