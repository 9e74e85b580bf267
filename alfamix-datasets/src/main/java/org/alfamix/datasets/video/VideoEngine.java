package org.alfamix.datasets.video;

import java.nio.file.Path;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens video files. The module {@code alfamix-video} implements it with FFmpeg. */
public interface VideoEngine {

  /**
   * Opens a file and counts its frames, which decodes all of them.
   *
   * @throws DataException if it is not a video, is corrupt, has no frames or is too large
   */
  Video open(Path file);

  /**
   * Opens a file whose number of frames is known.
   *
   * @param frames the number of frames as counted before
   */
  Video open(Path file, int frames);

  /**
   * Converts a video to WebM (VP8, without sound), which every browser plays.
   *
   * @param target the target file, which is overwritten
   * @throws DataException if the video cannot be read
   */
  void convertToWebm(Path file, Path target);

  /** Finds the engine on the class path, or builds it if alfamix runs from its sources. */
  static VideoEngine find() {
    return Engines.find(VideoEngine.class)
        .orElseThrow(
            () ->
                new DataException(
                    "Videos require the module alfamix-video on the class path. Unpack the"
                        + " alfamix zip with 'video' in its name into the installation folder."));
  }
}
