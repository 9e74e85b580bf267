package org.alfamix.video;

import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.data.DataException;
import org.alfamix.data.video.Video;
import org.alfamix.data.video.VideoEngine;

/** Opens videos with FFmpeg: MP4, MOV, AVI, WebM, Matroska and GIF. */
public final class FfmpegVideos implements VideoEngine {

  @Override
  public Video open(Path file) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    return new FfmpegVideo(file);
  }
}
