package org.alfamix.torch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.bytedeco.javacpp.Loader;

/**
 * Loads native libraries, one process at a time. JavaCPP unpacks them to a folder that all
 * processes share: a second one that starts meanwhile loads a library that is not whole, and
 * crashes.
 */
final class NativeCache {
  private static final String LOCK = "alfamix.lock";

  private NativeCache() {}

  /** Loads the libraries of a class, after any other process that does so. */
  static void load(Class<?> library) {
    Path lock;
    try {
      lock = Loader.getCacheDir().toPath().resolve(LOCK);
    } catch (IOException e) {
      Loader.load(library); // it says itself what is wrong with its folder
      return;
    }
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      Loader.load(library);
    } catch (IOException e) {
      Loader.load(library); // a folder that cannot be written to is not being unpacked to
    }
  }
}
