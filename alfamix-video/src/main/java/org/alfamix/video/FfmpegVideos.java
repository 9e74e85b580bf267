package org.alfamix.video;

import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.datasets.video.Video;
import org.alfamix.datasets.video.VideoEngine;
import org.alfamix.io.DataException;

/** Opens videos with FFmpeg: MP4, MOV, AVI, WebM, Matroska and GIF. */
public final class FfmpegVideos implements VideoEngine {

  @Override
  public Video open(Path file) {
    return open(file, 0);
  }

  @Override
  public Video open(Path file, int frames) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    return new FfmpegVideo(file, frames);
  }

  @Override
  public void convertToWebm(Path file, Path target) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    try (FfmpegVideo video = new FfmpegVideo(file, 0)) {
      WebmWriter.write(video, target);
    }
  }
}
