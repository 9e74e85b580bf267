package org.alfamix.data.video;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.alfamix.data.DataException;

/** Opens video files. The module {@code alfamix-video} implements it with FFmpeg. */
public interface VideoEngine {

  /**
   * Opens a file.
   *
   * @throws DataException where it is no video, is broken, has no frames or is too large
   */
  Video open(Path file);

  /** Finds the engine on the class path. */
  static VideoEngine find() {
    return ServiceLoader.load(VideoEngine.class)
        .findFirst()
        .orElseThrow(
            () -> new DataException("Videos need the module alfamix-video on the class path."));
  }
}
