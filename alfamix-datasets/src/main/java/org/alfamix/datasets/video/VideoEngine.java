package org.alfamix.datasets.video;

import java.nio.file.Path;
import org.alfamix.io.DataException;
import org.alfamix.io.Engines;

/** Opens video files. The module {@code alfamix-video} implements it with FFmpeg. */
public interface VideoEngine {

  /**
   * Opens a file and counts its frames, which decodes all of them.
   *
   * @throws DataException where it is not a video, is broken, has no frames or is too large
   */
  Video open(Path file);

  /**
   * Opens a file whose frames were counted before.
   *
   * @param frames the number of frames it had then
   */
  Video open(Path file, int frames);

  /**
   * Converts a video to WebM (VP8, without sound), which every browser plays.
   *
   * @param target is overwritten
   * @throws DataException where the video cannot be read
   */
  void convertToWebm(Path file, Path target);

  /** Finds the engine on the class path, or builds it where alfamix runs from its sources. */
  static VideoEngine find() {
    return Engines.find(VideoEngine.class)
        .orElseThrow(
            () ->
                new DataException(
                    "Videos need the module alfamix-video on the class path; unpack the zip of"
                        + " alfamix with 'video' in its name over the main one."));
  }
}
