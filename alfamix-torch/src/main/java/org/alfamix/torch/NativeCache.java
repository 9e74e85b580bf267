package org.alfamix.torch;

import java.io.IOException;
import org.alfamix.io.ProcessLock;
import org.bytedeco.javacpp.Loader;

/**
 * Loads native libraries in one process at a time. JavaCPP unpacks them to a folder that all
 * processes share: without a lock, a second process that starts meanwhile would load an incomplete
 * library and crash.
 */
final class NativeCache {
  private static final String LOCK = "alfamix.lock";

  private NativeCache() {}

  /** Loads the libraries of a class, after other processes have finished loading. */
  static void load(Class<?> library) {
    try {
      ProcessLock.runLocked(
          Loader.getCacheDir().toPath().resolve(LOCK), () -> Loader.load(library));
    } catch (IOException e) {
      Loader.load(library); // reports the problem with its folder
    }
  }
}
