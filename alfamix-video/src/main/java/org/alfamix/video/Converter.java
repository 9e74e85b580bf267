package org.alfamix.video;

import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.swscale.SWS_ACCURATE_RND;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BICUBIC;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BITEXACT;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getCachedContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale;

import org.alfamix.data.DataException;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;

/** Turns decoded frames into RGB of a fixed size, upright. */
final class Converter implements AutoCloseable {
  /** The default of the program ffmpeg, for frames that keep their size. */
  private static final int SAME_SIZE = SWS_BICUBIC;

  /** Resizing gives the same values on every processor. */
  private static final int RESIZING = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT;

  /** As they are stored: before they are turned. */
  private final int width;

  private final int height;
  private final int quarters;
  private final byte[] rgb;
  private final byte[] turned;
  private final BytePointer target;
  private SwsContext context;

  /**
   * @param width of upright frames
   * @param height of upright frames
   * @param quarters by how many quarters of a turn, clockwise, frames are turned
   */
  Converter(int width, int height, int quarters) {
    this.width = quarters % 2 == 0 ? width : height;
    this.height = quarters % 2 == 0 ? height : width;
    this.quarters = quarters;
    this.rgb = new byte[width * height * 3];
    this.turned = quarters == 0 ? rgb : new byte[rgb.length];
    this.target = new BytePointer(rgb.length);
  }

  /** Returns a frame, which is overwritten by the next one. */
  byte[] rgb(AVFrame frame) {
    boolean same = frame.width() == width && frame.height() == height;
    context =
        sws_getCachedContext(
            context,
            frame.width(),
            frame.height(),
            frame.format(),
            width,
            height,
            AV_PIX_FMT_RGB24,
            same ? SAME_SIZE : RESIZING,
            null,
            null,
            (DoublePointer) null);
    if (context == null || context.isNull()) {
      throw new DataException(
          "Frames of %d x %d pixels cannot be resized to %d x %d."
              .formatted(frame.width(), frame.height(), width, height));
    }
    try (PointerPointer<BytePointer> planes = new PointerPointer<>(4);
        IntPointer strides = new IntPointer(4)) {
      planes.put(0, target);
      strides.put(0, 3 * width);
      sws_scale(context, frame.data(), frame.linesize(), 0, frame.height(), planes, strides);
    }
    target.position(0).get(rgb);
    turn();
    return turned;
  }

  private void turn() {
    if (quarters == 0) {
      return;
    }
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int to =
            switch (quarters) {
              case 1 -> x * height + height - 1 - y;
              case 2 -> (height - 1 - y) * width + width - 1 - x;
              default -> (width - 1 - x) * height + y;
            };
        int from = 3 * (y * width + x);
        System.arraycopy(rgb, from, turned, 3 * to, 3);
      }
    }
  }

  @Override
  public void close() {
    target.close();
    sws_freeContext(context);
  }
}
