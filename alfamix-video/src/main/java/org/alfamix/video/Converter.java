package org.alfamix.video;

import static org.bytedeco.ffmpeg.global.avutil.AVCOL_RANGE_JPEG;
import static org.bytedeco.ffmpeg.global.avutil.AV_PIX_FMT_RGB24;
import static org.bytedeco.ffmpeg.global.swscale.SWS_ACCURATE_RND;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BICUBIC;
import static org.bytedeco.ffmpeg.global.swscale.SWS_BITEXACT;
import static org.bytedeco.ffmpeg.global.swscale.sws_freeContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getCachedContext;
import static org.bytedeco.ffmpeg.global.swscale.sws_getCoefficients;
import static org.bytedeco.ffmpeg.global.swscale.sws_scale;
import static org.bytedeco.ffmpeg.global.swscale.sws_setColorspaceDetails;

import org.alfamix.io.DataException;
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

  private static final int ALIGNMENT = 64;

  /** What fast converters may write beyond the last row. */
  private static final int PADDING = 1024;

  private static final int ONE = 1 << 16;

  /** As they are stored: before they are turned. */
  private final int width;

  private final int height;
  private final int quarters;
  private final byte[] rgb;
  private final byte[] turned;

  /** Bytes from one row to the next: FFmpeg's fast converters write whole blocks of pixels. */
  private final int stride;

  private final BytePointer target;
  private SwsContext context;
  private int colours = -1;

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
    this.stride = (3 * this.width + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    this.target = new BytePointer((long) stride * this.height + PADDING);
  }

  /** Returns a frame, which is overwritten by the next one. */
  byte[] rgb(AVFrame frame) {
    boolean same = frame.width() == width && frame.height() == height;
    SwsContext before = context;
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
    if (!context.equals(before)) {
      colours = -1; // a new one knows nothing of them
    }
    setColours(frame);
    try (PointerPointer<BytePointer> planes = new PointerPointer<>(4);
        IntPointer strides = new IntPointer(4)) {
      planes.put(0, target.position(0));
      strides.put(0, stride);
      sws_scale(context, frame.data(), frame.linesize(), 0, frame.height(), planes, strides);
    }
    for (int y = 0; y < height; y++) {
      target.position((long) y * stride).get(rgb, 3 * width * y, 3 * width);
    }
    turn();
    return turned;
  }

  /** Says what the numbers of a frame mean: BT.601 or BT.709, the narrow range or the full one. */
  private void setColours(AVFrame frame) {
    int full = frame.color_range() == AVCOL_RANGE_JPEG ? 1 : 0;
    int now = 2 * frame.colorspace() + full;
    if (now != colours) {
      colours = now;
      IntPointer coefficients = sws_getCoefficients(frame.colorspace());
      // Frames that are RGB already have none, and it answers that it has nothing to do.
      sws_setColorspaceDetails(context, coefficients, full, coefficients, 1, 0, ONE, ONE);
    }
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
